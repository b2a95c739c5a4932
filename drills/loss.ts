// Packets that get lost for real: the packet filter of the kernel drops them, and TCP has to send them again.
// Those on this machine's loopback are as large as TCP makes them, and TCP waits 200 ms or more before it
// sends one again that nothing follows.
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '#server/kit/start-error.ts'
import { findProgram, until } from './stage.ts'
import type { Stage } from './stage.ts'

/** Ends the loss. Returns how many packets were sent meanwhile, and how many of them were lost. */
type End = () => Promise<{ packets: number; lost: number }>

/** @throws StartError that says what is missing for `losePackets` */
export function requireLoss(): void {
  if (process.getuid?.() !== 0) throw new StartError('This drill loses packets, which only root may do.')
  findProgram('nft', 'nftables')
}

/**
 * Loses so many of a hundred packets from and to a port of this machine, in each direction. The kernel
 * removes the rule as soon as its program has ended, however that comes about.
 */
export async function losePackets(stage: Stage, port: number, percent: number): Promise<End> {
  const nft = findProgram('nft', 'nftables')
  const table = `evenhand_drill_${port}`
  const rules = join(stage.folder, `${table}.nft`)
  const lose = `counter; numgen random mod 100 < ${percent} counter drop;`
  const input =
    'type filter hook input priority 0; ' + `tcp sport ${port} jump lossy; tcp dport ${port} jump lossy;`
  await writeFile(
    rules,
    `table inet ${table} { flags owner; chain lossy { ${lose} }; chain input { ${input} }; }\n`,
  )
  const program = stage.start(table, '/bin/sh', [
    '-c',
    '{ cat "$0"; exec sleep 3600; } | "$1" -i',
    rules,
    nft,
  ])
  const list = () => execFileSync(nft, ['list', 'table', 'inet', table], { encoding: 'utf8', stdio: 'pipe' })
  const isThere = () => {
    try {
      return list().includes('jump lossy')
    } catch {
      return false
    }
  }
  await until('packets get lost', isThere, { seconds: 10, needed: [program] }).catch((error: Error) => {
    throw new Error(`${error.message} ${stage.logOf(table)}`)
  })
  return async () => {
    const [packets = 0, lost = 0] = [...list().matchAll(/counter packets (\d+)/g)].map(([, n]) => Number(n))
    await program.kill()
    return { packets, lost }
  }
}
