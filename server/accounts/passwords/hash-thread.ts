// Hashes passwords for hash-threads.ts, one at a time, behind the threads that answer requests.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Options } from '@node-rs/argon2'

export type Task =
  | { task: 'hash'; password: string; cost: Options }
  | { task: 'verify'; stored: string; password: string }
export type Reply = { result: string | boolean } | { error: string }

giveWay()
parentPort?.on('message', (task: Task) => parentPort?.postMessage(reply(task)))

function reply(task: Task): Reply {
  try {
    return {
      result:
        task.task === 'hash' ? hashSync(task.password, task.cost) : verifySync(task.stored, task.password),
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Linux gives each thread a priority of its own. Elsewhere this one has that of its process. */
function giveWay() {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 5)
  } catch {
    // Without it, hashing is only bounded by the number of threads.
  }
}
