// A minimal HTTP client, because it shares the processors with the measured server.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

type KeptAlive = {
  /** Resolves with the status when the whole answer has arrived. One request at a time. */
  get(path: string, cookie: string): Promise<number>
  close(): void
}

/** One connection, kept open between requests. It reads answers with a length and chunked answers. */
export async function keepAlive(port: number): Promise<KeptAlive> {
  const socket = await open(port)
  let pending: { resolve(status: number): void; reject(error: Error): void } | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const status = statusOfWhole(received)
    if (status === undefined) return
    received = Buffer.alloc(0)
    pending?.resolve(status)
  })
  socket.on('close', () => pending?.reject(new Error('The server closed a connection.')))
  return {
    get(path, cookie) {
      if (socket.destroyed) return Promise.reject(new Error('The server closed a connection.'))
      socket.write(requestText(port, path, cookie))
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
      })
    },
    close: () => socket.destroy(),
  }
}

/**
 * Opens a stream of server-sent events; `onText` gets the text as it arrives. Resolves when it has started.
 */
export async function openStream(port: number, path: string, cookie: string, onText: (text: string) => void) {
  const socket = await open(port)
  socket.write(requestText(port, path, cookie))
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString('latin1').startsWith('HTTP/1.1 200 ')) {
    socket.destroy()
    throw new Error(`A stream was refused: ${first.toString('latin1').slice(0, 60)}`)
  }
  socket.on('data', (chunk: Buffer) => onText(chunk.toString('latin1')))
  return { close: () => socket.destroy() }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

function requestText(port: number, path: string, cookie: string) {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\naccept: */*\r\n\r\n`
}

function statusOfWhole(answer: Buffer): number | undefined {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = answer.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  const whole = length
    ? answer.length >= headEnd + 4 + Number(length[1])
    : answer.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n'
  return whole ? Number(head.slice(9, 12)) : undefined
}
