// A minimal HTTP client, because it shares the processors with the measured server.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export type Asked = {
  method?: 'GET' | 'POST'
  path: string
  cookie?: string
  /** Of the client, as a proxy would hand it over in `x-real-ip`. */
  address?: string
  body?: unknown
}
export type Answered = { status: number; retryAfter: boolean; body: string }

export type KeptAlive = {
  /** Resolves when the whole answer has arrived. One request at a time. */
  ask(request: Asked): Promise<Answered>
  /** False once the server has closed it, as it does after some idle seconds. */
  isOpen(): boolean
  /** Resolves with the status when the whole answer has arrived. One request at a time. */
  get(path: string, cookie: string): Promise<number>
  close(): void
}

/** One connection, kept open between requests. It reads answers with a length and chunked answers. */
export async function keepAlive(port: number): Promise<KeptAlive> {
  const socket = await open(port)
  let pending: { resolve(answer: Answered): void; reject(error: Error): void } | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = wholeAnswer(received)
    if (answer === undefined) return
    received = Buffer.alloc(0)
    pending?.resolve(answer)
  })
  socket.on('close', () => pending?.reject(new Error('The server closed a connection.')))
  function ask(request: Asked): Promise<Answered> {
    if (socket.destroyed) return Promise.reject(new Error('The server closed a connection.'))
    socket.write(requestText(port, request))
    return new Promise((resolve, reject) => {
      pending = { resolve, reject }
    })
  }
  return {
    ask,
    get: async (path, cookie) => (await ask({ path, cookie })).status,
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  }
}

/**
 * Opens a stream of server-sent events; `onText` gets the text as it arrives. Resolves when it has started.
 */
export async function openStream(port: number, path: string, cookie: string, onText: (text: string) => void) {
  const socket = await open(port)
  socket.write(requestText(port, { path, cookie }))
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

function requestText(port: number, { method = 'GET', path, cookie, address, body }: Asked) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'accept: */*',
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(address ? [`x-real-ip: ${address}`] : []),
    ...(method === 'POST'
      ? [`origin: http://127.0.0.1:${port}`, `content-length: ${Buffer.byteLength(text)}`]
      : []),
    ...(text ? ['content-type: application/json'] : []),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${text}`
}

function wholeAnswer(received: Buffer): Answered | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  const whole =
    status === 204 ||
    (length
      ? received.length >= headEnd + 4 + Number(length[1])
      : received.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n')
  if (!whole) return undefined
  return {
    status,
    retryAfter: /\r\nretry-after: \d/i.test(head),
    body: received.toString('utf8', headEnd + 4),
  }
}
