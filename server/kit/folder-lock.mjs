// A lock between the processes of one machine. Plain JavaScript for Node 18, because scripts/start.mjs needs
// it before the install.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export async function withFolderLock(folder, { seconds, onWait }, action) {
  const interrupted = await take(folder, seconds, onWait)
  try {
    return await action(interrupted)
  } finally {
    await moveAwayAndRemove(folder)
  }
}

export function processIdentity(pid = process.pid) {
  const startedAt = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
  return startedAt && `${pid} ${startedAt}`
}

export function isAlive(identity) {
  const pid = Number.parseInt(identity ?? '', 10)
  return pid > 0 && processIdentity(pid) === identity
}

async function take(folder, seconds, onWait) {
  const mine = `${folder}.${randomBytes(6).toString('hex')}`
  await mkdir(mine)
  await writeFile(join(mine, 'owner'), processIdentity())
  const until = Date.now() + seconds * 1000
  let interrupted = false
  let announced = false
  for (;;) {
    try {
      // The lock appears with its owner inside, in one step: a rename onto a non-empty folder fails.
      await rename(mine, folder)
      return interrupted
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
    }
    if (await removeAbandoned(folder)) {
      interrupted = true
    } else if (Date.now() > until) {
      await rm(mine, { recursive: true, force: true })
      throw Object.assign(new Error(`Another process has held ${folder} for ${seconds} seconds.`), {
        code: 'LOCK_BUSY',
      })
    } else {
      if (!announced) onWait?.()
      announced = true
      await sleep(50)
    }
  }
}

// Two waiters may find the same dead owner. Only the one that creates `claim` inside that lock may move it
// away. A claim that landed in a new lock meanwhile is found by reading the owner again, and withdrawn.
async function removeAbandoned(folder) {
  try {
    if (isAlive(await readFile(join(folder, 'owner'), 'utf8'))) return false
    const claim = join(folder, 'claim')
    try {
      await mkdir(claim)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const claimedAt = (await stat(claim)).mtimeMs
      if (Date.now() - claimedAt > 10_000) await rmdir(claim)
      return false
    }
    if (isAlive(await readFile(join(folder, 'owner'), 'utf8'))) {
      await rmdir(claim)
      return false
    }
    await moveAwayAndRemove(folder)
    return true
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

// Never removed in place: an emptied lock could be replaced by another process's, which the removal would
// then empty too.
async function moveAwayAndRemove(folder) {
  const away = `${folder}.${randomBytes(6).toString('hex')}`
  await rename(folder, away)
  await rm(away, { recursive: true, force: true })
}

function startFromProc(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    // Ticks count from the boot of the machine, so the boot id is part of the name.
    return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return undefined
  }
}

function startFromPs(pid) {
  try {
    if (process.platform === 'win32') return process.kill(pid, 0) && 'running'
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
