// A client with a cookie jar at one address, over plain sockets: it sends exactly what it is given, and
// follows nothing.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  /** The lines of Set-Cookie. */
  cookies: string[]
  text: string
  /** The body as JSON; null when it is none. Each test reads it as what it expects. */
  json: Record<string, unknown> | null
  /** From the first byte sent to the last byte read. */
  ms: number
}

type Headers = Record<string, string | undefined>

type Sending = {
  /** Sent as JSON, unless it is text or bytes, which go as they are. */
  body?: unknown
  /** Headers beside the usual ones; undefined takes one away. */
  headers?: Headers
  /** Sends the body in pieces, without saying how long it is. */
  chunked?: boolean
}

type LiveEvent = { name: string; ids: Record<string, string> }

/** A live stream as a page receives it. */
export type Ear = {
  status: number
  headers: IncomingHttpHeaders
  /** Everything received so far, in order. */
  heard: LiveEvent[]
  /** Waits until something of this name was received, counting from the last call. */
  hears(name: string): Promise<LiveEvent>
  /** Waits until the server ends the stream. */
  ended: Promise<void>
  /** From now on nothing is read, as by a page whose network has stalled. */
  stall(): void
  close(): void
}

type Connection = { port: number; headers: Headers; agent?: Agent }

export class Browser {
  readonly jar = new Map<string, string>()
  /** Who is signed in, where the test opened the login session itself. */
  memberId: string | null = null
  sessionId: string | null = null
  /** The headers that it sends with every request. */
  readonly headers: Headers
  readonly #to: Connection

  constructor(to: Connection) {
    this.headers = to.headers
    this.#to = to
  }

  get(path: string, headers?: Headers): Promise<Answer> {
    return this.send('GET', path, { headers })
  }

  post(path: string, body: unknown = {}, headers?: Headers): Promise<Answer> {
    return this.send('POST', path, { body, headers })
  }

  /** A step on the way that has to succeed. */
  async mustPost(path: string, body: unknown = {}): Promise<Answer> {
    const answer = await this.post(path, body)
    if (answer.status >= 400) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
    return answer
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    const { body, headers = {}, chunked = false } = sending
    const started = performance.now()
    const bytes = bytesOf(body)
    const request = this.#open(method, path, {
      'content-type': bytes && 'application/json',
      'content-length': bytes && !chunked ? String(bytes.length) : undefined,
      ...headers,
    })
    for (const piece of chunked && bytes ? piecesOf(bytes) : []) request.write(piece)
    request.end(chunked ? undefined : bytes)
    const answer = await readAnswer(request)
    for (const cookie of answer.cookies) this.#keep(cookie)
    return { ...answer, ms: performance.now() - started }
  }

  /** Opens the live stream; settles once its status is known. */
  listen(headers: Headers = {}): Promise<Ear> {
    const request = this.#open('GET', '/api/events', headers, false)
    request.end()
    return openEar(request)
  }

  /** What it sends as its cookies; undefined while it has none. */
  get cookie(): string | undefined {
    if (this.jar.size === 0) return undefined
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Takes up the cookies of a line such as Set-Cookie. */
  #keep(line: string) {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/max-age=0\b/i.test(line)) this.jar.delete(name)
    else this.jar.set(name, pair.slice(name.length + 1))
  }

  #open(method: string, path: string, given: Headers, agent: Agent | false = this.#to.agent ?? false) {
    const all = { ...this.headers, cookie: this.cookie, ...given }
    const headers = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    const request = httpRequest({ host: '127.0.0.1', port: this.#to.port, agent, method, path, headers })
    // A server that refuses early may close before everything was sent; its answer is read nevertheless.
    request.on('error', () => {})
    return request
  }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function piecesOf(bytes: Buffer) {
  const size = 16 * 1024
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}

async function readAnswer(request: ClientRequest) {
  // The event's one value, by Node's documentation; a stream without an encoding gives buffers.
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const { statusCode = 0, headers } = response
  return { status: statusCode, headers, cookies: headers['set-cookie'] ?? [], text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}

async function openEar(request: ClientRequest): Promise<Ear> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const heard: LiveEvent[] = []
  let read = 0
  let text = ''
  let wake = () => {}
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    const messages = `${text}${part}`.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      // The server writes nothing else into a stream.
      if (data) heard.push(JSON.parse(data) as LiveEvent)
    }
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => resolve())
    response.on('error', () => {})
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    async hears(name) {
      for (;;) {
        const at = heard.findIndex((event, place) => place >= read && event.name === name)
        if (at >= 0) {
          read = at + 1
          return heard[at] as LiveEvent
        }
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    ended,
    stall: () => void response.pause(),
    close: () => void request.destroy(),
  }
}
