// Passwords are hashed in threads of their own, with a lower priority: hashing takes a core for as long as it
// can, and the threads that answer requests, of every process of the machine, should come first.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import type { Reply, Task } from './hash-thread.ts'

const idle: Worker[] = []

/** The argon2id hash of a password, at this cost. */
export async function hash(password: string, cost: Options): Promise<string> {
  return String(await run({ task: 'hash', password, cost }))
}

/** Whether a password has this hash. */
export async function verify(stored: string, password: string): Promise<boolean> {
  return (await run({ task: 'verify', stored, password })) === true
}

/** Starts a thread where all are at work: how many may be is the caller's decision. */
async function run(task: Task): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(threadFile(), { execArgv: [], env: {} })
  thread.ref()
  const reply = await ask(thread, task)
  // An idle thread does not keep the process running.
  thread.unref()
  idle.push(thread)
  if ('error' in reply) throw new Error(reply.error)
  return reply.result
}

/** The thread's answer. A thread that ends before it answers has failed. */
async function ask(thread: Worker, task: Task): Promise<Reply> {
  const settled = new AbortController()
  const { signal } = settled
  // An error rejects both.
  const answered = once(thread, 'message', { signal })
  const ended = once(thread, 'exit', { signal }).then(() => {
    throw new Error('The thread that hashes passwords ended.')
  })
  thread.postMessage(task)
  try {
    const [reply] = (await Promise.race([answered, ended])) as [Reply]
    return reply
  } finally {
    ended.catch(() => {})
    answered.catch(() => {})
    settled.abort()
  }
}

// Beside the source when run from it, beside the bundle (or one folder above its chunks) when built.
function threadFile() {
  const places = ['./hash-thread.ts', './hash-thread.js', '../hash-thread.js']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))
  if (!found) throw new Error('The thread that hashes passwords is missing from this build.')
  return found
}
