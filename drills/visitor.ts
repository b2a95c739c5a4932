// A member's browser at an address of the club: requests and the stream, by HTTP/1.1 or, at an edge with
// TLS, by HTTP/2.
import { Agent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:http2'
import type { ClientHttp2Session, ClientHttp2Stream, Http2Session } from 'node:http2'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'

export type Answer = {
  status: number
  retryAfter: string | null
  ms: number
  text: string
  /** The cookies that it sets, as a browser sends them along afterwards. */
  cookies: string[]
}

/** The product says that it has too much to do, or that every connection to the database is held up. */
export function isBusy({ status, text }: Answer): boolean {
  return status === 503 && text.includes('"BUSY"')
}

export type Edge = {
  /** Sends a request. A connection that fails answers with the status 0. */
  ask(method: string, path: string, headers: Headers, body?: string | Uint8Array): Promise<Answer>
  /** Opens a stream: calls `onText` as it arrives, and `onEnd` once when it is over. */
  listen(path: string, headers: Headers, onText: (text: string) => void, onEnd: () => void): () => void
  close(): void
}

type Headers = Record<string, string>

/** By HTTP/1.1, as many connections as needed. */
export function plainEdge(port: number): Edge {
  const agent = new Agent({ keepAlive: true })
  const open = (method: string, path: string, headers: Headers) =>
    httpRequest({ host: '127.0.0.1', port, agent, method, path, headers })
  const send = (request: ClientRequest, body?: string | Uint8Array) => {
    const started = performance.now()
    return new Promise<Answer>((resolve) => {
      const settle = (status: number, text: string, headers: IncomingHttpHeaders = {}) =>
        resolve({
          status,
          text,
          retryAfter: headers['retry-after'] ?? null,
          ms: performance.now() - started,
          cookies: cookiesOf(headers),
        })
      const lost = () => settle(0, '')
      request.setTimeout(30_000, () => request.destroy())
      request.on('error', lost)
      request.on('response', (response) => {
        response.on('error', lost)
        void read(response).then((text) => settle(response.statusCode ?? 0, text, response.headers), lost)
      })
      request.end(body)
    })
  }
  return {
    async ask(method, path, headers, body) {
      const request = open(method, path, headers)
      const answer = await send(request, body)
      // The server closed an idle connection in the moment in which it was used again.
      if (answer.status === 0 && request.reusedSocket) return send(open(method, path, headers), body)
      return answer
    },
    listen(path, headers, onText, onEnd) {
      const request = open('GET', path, headers)
      request.on('error', () => {})
      request.on('close', onEnd)
      request.on('response', (response) => {
        response
          .setEncoding('utf8')
          .on('data', onText)
          .on('error', () => {})
      })
      request.end()
      return () => void request.destroy()
    },
    close: () => agent.destroy(),
  }
}

/**
 * By HTTP/2, as a browser does: one connection for each member, opened again when it is lost. Each comes from
 * an address of its own, which the system gives to this machine as well.
 */
export function http2Edge(port: number, authority: string): Edge {
  const sessions = new Map<string, ClientHttp2Session>()
  /** The last stream that the other end of a session has taken, once it closes the session. */
  const lastTaken = new WeakMap<Http2Session, number>()
  const open = (member: string) => {
    const known = sessions.get(member)
    if (known && !known.closed && !known.destroyed) return known
    const n = [...sessions.keys()].indexOf(member)
    const localAddress = `127.0.1.${1 + ((n < 0 ? sessions.size : n) % 250)}`
    const session = connect(`https://127.0.0.1:${port}`, {
      createConnection: () =>
        connectTls({
          host: '127.0.0.1',
          port,
          ...(process.platform === 'linux' && { localAddress }),
          ALPNProtocols: ['h2'],
          servername: authority,
          rejectUnauthorized: false,
        }),
    })
    session.on('error', () => {})
    session.on('goaway', (_code, last) => void lastTaken.set(session, last))
    sessions.set(member, session)
    return session
  }
  const streamOf = (method: string, path: string, headers: Headers) => {
    const { host = authority, ...rest } = headers
    return open(headers.cookie ?? headers['x-real-ip'] ?? '').request({
      ':method': method,
      ':path': path,
      ':authority': host,
      ...rest,
    })
  }
  const send = (stream: ClientHttp2Stream, body?: string | Uint8Array) => {
    const started = performance.now()
    return new Promise<Answer>((resolve) => {
      let retryAfter: string | null = null
      let cookies: string[] = []
      const settle = (status: number, text: string) =>
        resolve({ status, retryAfter, ms: performance.now() - started, text, cookies })
      let status = 0
      stream.setTimeout(30_000, () => stream.close())
      stream.on('error', () => settle(0, ''))
      stream.on('response', (given) => {
        status = Number(given[':status'])
        retryAfter = given['retry-after']?.toString() ?? null
        cookies = cookiesOf(given)
      })
      void read(stream).then(
        (text) => settle(status, text),
        () => settle(0, ''),
      )
      stream.end(body)
    })
  }
  return {
    async ask(method, path, headers, body) {
      const stream = streamOf(method, path, headers)
      const { session } = stream
      const answer = await send(stream, body)
      // The proxy closed an idle connection in the moment in which it was used again, and says so.
      const last = session && lastTaken.get(session)
      const wasTaken = last === undefined || (stream.id ?? 0) <= last
      return answer.status > 0 || wasTaken ? answer : send(streamOf(method, path, headers), body)
    },
    listen(path, headers, onText, onEnd) {
      const stream = streamOf('GET', path, headers)
      stream.on('error', () => {})
      stream.on('close', onEnd)
      stream.setEncoding('utf8').on('data', onText)
      stream.end()
      return () => stream.close()
    },
    close: () => sessions.forEach((session) => session.destroy()),
  }
}

function cookiesOf(headers: { 'set-cookie'?: string[] | undefined }): string[] {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '')
}

async function read(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
