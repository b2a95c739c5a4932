// A wire of our own between a program and a server: it can be slow, it can be cut, and it can fall silent.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import type { Stage } from './stage.ts'

export type Wire = {
  port: number
  /** Lets what is sent from now on arrive so much later, in each direction. */
  delay(ms: number): void
  /** Breaks every connection, and each new one until it is mended. */
  cut(): void
  /** Lets nothing arrive any more, as when a machine is gone: connections open, and no one ever answers. */
  silence(): void
  /** Everything arrives again. Connections that were silent are broken, since they miss a part. */
  mend(): void
}

export async function layWire(stage: Stage, target: number): Promise<Wire> {
  let delayMs = 0
  let isCut = false
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      forward(one, other, { delayMs: () => delayMs, isSilent: () => isSilent })
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    if (isCut) near.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = () => sockets.forEach((socket) => socket.destroy())
  stage.onEnd(async () => {
    breakAll()
    server.close()
  })
  return {
    // A listener on TCP has an address with a port.
    port: (server.address() as AddressInfo).port,
    delay: (ms) => void (delayMs = ms),
    cut() {
      isCut = true
      isSilent = false
      breakAll()
    },
    silence: () => void (isSilent = true),
    mend() {
      if (isSilent) breakAll()
      isCut = false
      isSilent = false
    },
  }
}

/** What came first arrives first, also when the delay has become shorter meanwhile. */
function forward(
  from: Socket,
  to: Socket,
  { delayMs, isSilent }: { delayMs: () => number; isSilent: () => boolean },
) {
  const waiting: { due: number; act: () => void }[] = []
  const after = (act: () => void) => {
    if (waiting.length === 0 && delayMs() === 0) return act()
    waiting.push({ due: performance.now() + delayMs(), act })
    if (waiting.length === 1) setTimeout(next, delayMs())
  }
  const next = () => {
    waiting.shift()?.act()
    const [first] = waiting
    if (first) setTimeout(next, Math.max(0, first.due - performance.now()))
  }
  from.on('data', (part: Buffer) => {
    if (!isSilent()) after(() => void to.write(part))
  })
  from.on('end', () => {
    if (!isSilent()) after(() => void to.end())
  })
}
