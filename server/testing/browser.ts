// A client with a cookie jar at one address, over plain sockets. It sends exactly what it is given and
// follows no redirects.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  /** The lines of Set-Cookie. */
  cookies: string[]
  text: string
  /** The body as JSON; null when it isn't JSON. Each test reads it as the type it expects. */
  json: Record<string, unknown> | null
  /** Milliseconds from the first byte sent to the last byte read. */
  ms: number
}

type Headers = Record<string, string | undefined>

type Sending = {
  /** Sent as JSON. Text and bytes are sent unchanged. */
  body?: unknown
  /** Headers in addition to the usual ones. Undefined removes one. */
  headers?: Headers
  /** Sends the body in pieces, without its length. */
  chunked?: boolean
}

type LiveEvent = { name: string; ids: Record<string, string> }

/** A live stream as a page receives it. */
export type StreamReader = {
  status: number
  headers: IncomingHttpHeaders
  /** All events so far, in order. */
  received: LiveEvent[]
  /** Waits for the next event of this name, counted from the event that the last call returned. */
  next(name: string): Promise<LiveEvent>
  /** Waits until the server ends the stream. */
  ended: Promise<void>
  /** Stops reading, like a page whose network has stalled. */
  stall(): void
  close(): void
}

/** In bytes. The server resets a connection on purpose only because of a larger body. */
const smallBody = 16 * 1024

/** So that a test ends with the answer that it got, not with its time limit. */
const mostAsked = 20

/**
 * `asksAgain`: an answer of 503 is waited out and asked again, as our pages do it. For tests on a busy
 * machine.
 */
type Connection = { port: number; headers: Headers; agent?: Agent; asksAgain?: boolean }

export class Browser {
  readonly jar = new Map<string, string>()
  /** The signed-in member, if the test opened the login session itself. */
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

  /** Posts, and throws unless it succeeds. */
  async mustPost(path: string, body: unknown = {}): Promise<Answer> {
    const answer = await this.post(path, body)
    if (answer.status >= 400) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
    return answer
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    for (let asked = 1; ; asked += 1) {
      const answer = await this.sendOnce(method, path, sending)
      if (answer.status !== 503 || !this.#to.asksAgain || asked === mostAsked) return answer
      await setTimeout(Number(answer.headers['retry-after'] ?? 1) * 1000)
    }
  }

  /** Sends it, and returns the first answer, whatever it is. */
  async sendOnce(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    const { body, headers = {}, chunked = false } = sending
    const started = performance.now()
    const bytes = bytesOf(body)
    const begin = (agent?: false) => {
      const given = {
        'content-type': bytes && 'application/json',
        'content-length': bytes && !chunked ? String(bytes.length) : undefined,
        ...headers,
      }
      const request = this.#open(method, path, given, agent)
      for (const piece of chunked && bytes ? piecesOf(bytes) : []) request.write(piece)
      request.end(chunked ? undefined : bytes)
      return request
    }
    const first = begin()
    // The server may close an idle connection just as it is used again: such a request never reached it.
    const answer = await readAnswer(first).catch((error: unknown) => {
      const small = bytes === undefined || bytes.length < smallBody
      if (small && first.reusedSocket && isReset(error)) return readAnswer(begin(false))
      throw error
    })
    for (const cookie of answer.cookies) this.#keep(cookie)
    return { ...answer, ms: performance.now() - started }
  }

  /** Opens the live stream. Resolves once its status is known. */
  listen(headers: Headers = {}): Promise<StreamReader> {
    const request = this.#open('GET', '/api/events', headers, false)
    request.end()
    return openStream(request)
  }

  /** Its Cookie header; undefined while it has no cookies. */
  get cookie(): string | undefined {
    if (this.jar.size === 0) return undefined
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Applies a Set-Cookie line to the jar. */
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
    // A server that refuses early may close before everything was sent. Its answer is still read.
    request.on('error', () => {})
    return request
  }
}

function isReset(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
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
  // By Node's documentation the event has one value, and a stream without an encoding gives buffers.
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

async function openStream(request: ClientRequest): Promise<StreamReader> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const received: LiveEvent[] = []
  let read = 0
  let text = ''
  let wake = () => {}
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    const messages = `${text}${part}`.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      // A message with a type of its own is a beat and no event. The server writes nothing else.
      if (data && !/^event: /m.test(message)) received.push(JSON.parse(data) as LiveEvent)
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
    received,
    async next(name) {
      for (;;) {
        const at = received.findIndex((event, place) => place >= read && event.name === name)
        if (at >= 0) {
          read = at + 1
          return received[at] as LiveEvent
        }
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    ended,
    stall: () => void response.pause(),
    close: () => void request.destroy(),
  }
}
