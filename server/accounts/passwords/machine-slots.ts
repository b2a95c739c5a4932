// What a machine should do only so much of at once, however many processes do it. A slot is a name among
// Linux's abstract sockets: one process can hold it, and the kernel frees it with the process. Elsewhere
// there are no slots, and each process has only its own limit.
import { availableParallelism } from 'node:os'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** After so long, work begins without a slot: the process that holds it may hang. */
const patienceMs = 2000

/** Runs work in one of the machine's slots of this name: as many as it has cores, unless `count` says. */
export function openMachineSlots(name: string, count = availableParallelism()) {
  const paths = Array.from({ length: count }, (_, n) => `\0evenhand-${name}-${n}`)

  async function take(): Promise<() => void> {
    for (const late = performance.now() + patienceMs; performance.now() < late;) {
      for (const path of paths) {
        const held = await hold(path)
        if (held !== 'taken') return held
      }
      const [any = ''] = paths.slice(Math.floor(Math.random() * count))
      await untilFree(any, late - performance.now())
    }
    return () => {}
  }

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      const release = await take()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

/** Holds a slot until the returned function is called. */
function hold(path: string): Promise<'taken' | (() => void)> {
  if (process.platform !== 'linux') return Promise.resolve(() => {})
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => waiting.delete(socket))
  })
  return new Promise((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) =>
      // Without such sockets there is nothing to hold.
      resolve(error.code === 'EADDRINUSE' ? 'taken' : () => {}),
    )
    server.listen(path, () =>
      resolve(() => {
        server.close()
        for (const socket of waiting) socket.destroy()
      }),
    )
  })
}

/** Resolves once the process that holds this slot lets go of it, or the time is over. */
function untilFree(path: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const timer = setTimeout(() => socket.destroy(), ms)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
