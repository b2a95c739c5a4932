// A client with a cookie jar at one address, over plain sockets: it sends exactly what it is told, and follows nothing.
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { once } from 'node:events'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  cookies: string[]
  text: string
  json: Record<string, unknown> | null
  ms: number
}

type Sending = {
  body?: unknown
  /** Headers beside the usual ones; undefined takes one away. */
  headers?: Record<string, string | undefined>
}

const origin = 'https://app.club.example'

export class Browser {
  readonly jar = new Map<string, string>()
  readonly port: number
  readonly address: string

  constructor(port: number, address: string) {
    this.port = port
    this.address = address
  }

  get(path: string, headers?: Sending['headers']) {
    return this.send('GET', path, { headers })
  }

  post(path: string, body: unknown = {}, headers?: Sending['headers']) {
    return this.send('POST', path, { body, headers })
  }

  /** A step on the way that has to succeed. */
  async mustPost(path: string, body: unknown = {}) {
    const answer = await this.post(path, body)
    if (answer.status >= 400) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
    return answer
  }

  /** A body of bytes or text goes as it is, any other as JSON. */
  async send(method: string, path: string, { body, headers = {} }: Sending = {}): Promise<Answer> {
    const started = performance.now()
    const bytes = bytesOf(body)
    const asking = request({
      port: this.port,
      host: '127.0.0.1',
      method,
      path,
      headers: this.headersFor(bytes, headers),
      agent: false,
    })
    asking.end(bytes)
    // The event's one value, by Node's documentation; a stream without an encoding gives buffers.
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const cookies = response.headers['set-cookie'] ?? []
    for (const cookie of cookies) this.keep(cookie)
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      cookies,
      text,
      json: parsed(text),
      ms: performance.now() - started,
    }
  }

  /** The live stream; settles with its status once it is open, says what was heard so far, and when the server ended it. */
  async listen(headers: Sending['headers'] = {}) {
    const asking = request({
      port: this.port,
      host: '127.0.0.1',
      path: '/api/events',
      headers: this.headersFor(undefined, headers),
      agent: false,
    })
    asking.end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    let heard = ''
    response.setEncoding('utf8').on('data', (text: string) => (heard += text))
    // A server that is killed ends it as well, which is an error to the stream and none to who waits for the end.
    response.on('error', () => {})
    const ended = new Promise<void>((resolve) => response.on('close', resolve))
    return { status: response.statusCode ?? 0, heard: () => heard, ended, close: () => response.destroy() }
  }

  cookieHeader() {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  private headersFor(bytes: Buffer | undefined, given: Record<string, string | undefined>) {
    const usual: Record<string, string | number | undefined> = {
      host: 'app.club.example',
      origin,
      'sec-fetch-site': 'same-origin',
      'x-real-ip': this.address,
      'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      cookie: this.jar.size > 0 ? this.cookieHeader() : undefined,
      'content-type': bytes && 'application/json',
      'content-length': bytes?.length,
      ...given,
    }
    const sent: OutgoingHttpHeaders = {}
    for (const [name, value] of Object.entries(usual)) if (value !== undefined) sent[name] = value
    return sent
  }

  private keep(line: string) {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/max-age=0\b/i.test(line)) this.jar.delete(name)
    else this.jar.set(name, pair.slice(name.length + 1))
  }
}

function bytesOf(body: unknown) {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    // Whatever it is, each test looks only at what it expects.
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
