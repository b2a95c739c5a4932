import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { ORPCError } from '@orpc/server'
import type { CallContext, Router } from './api.ts'
import { openCalls } from './call-handler.ts'
import { clientAddress } from './client-address.ts'
import type { Config } from '#server/kit/config.ts'
import type { Ctx, Kit, Member, Who } from '#server/kit/ctx.ts'
import { newRequestId, visitor } from '#server/kit/ctx.ts'
import { denialRecorder } from './denials.ts'
import { describeError } from './edge-errors.ts'
import type { EdgeError } from './edge-errors.ts'
import { isIdempotencyKey } from './idempotency.ts'
import type { Overload } from './overload.ts'
import type { Live } from '#server/kit/live/live.ts'
import type { Log } from '#server/kit/log.ts'
import { observeRequest } from '#server/kit/observe/metrics.ts'
import { blanketLimiter, limitRate, minute } from './rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { beginSpan } from '#server/kit/observe/spans.ts'
import type { OpenSpan } from '#server/kit/observe/spans.ts'
import { mostReportBytes, readPolicyReports } from './policy-reports.ts'
import { readJsonBody, readRawBody, readUploadBody } from './request-body.ts'
import type { ReadRequest } from './request-body.ts'
import { headersOfCalls, securityHeaders } from './security-headers.ts'

export type HttpEnv = {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse }
  /** `complete`: the answer carries all of its headers. */
  Variables: {
    ctx: Ctx
    requestId: string
    call: string | undefined
    complete: boolean | undefined
    /** Of a page that may not send this request. */
    foreignOrigin: string | undefined
  }
}
export type HttpApp = Hono<HttpEnv>
export type HttpContext = Context<HttpEnv>

export type HttpParts = {
  kit: Kit
  config: Config
  log: Log
  live: Live
  router: Partial<Router>
  /** Who sends this request, from its cookie and the session's row. */
  authenticate: (ctx: Ctx, headers: Headers) => Promise<Who>
  /** A Set-Cookie line that follows from an answer that is no call's, such as that of a page. */
  cookiesAfter?: (ctx: Ctx, asked: Headers, answered: Headers) => Promise<string | null>
  /** Routes under /api that are no calls of the contract: sign-in, binary answers, the API document. */
  mount: (app: HttpApp) => void
  /** What another program sends, which its signature lets in instead of an origin and a session. */
  signed?: SignedRoute[]
  /** Routes outside /api: the screens and what belongs to them. */
  pages: (app: HttpApp) => void
  /** Paths that take one file, such as `/api/reviews/:id/proof`. */
  uploads: string[]
  /** Pages that take a form by POST, without a script. They are checked as calls are. */
  forms?: string[]
  /**
   * The page that a browser outside /api gets for an error. Null: the same answer as programs get.
   */
  errorPage?: (c: HttpContext, problem: EdgeError) => Promise<Response | null>
  /** Whether a request carries the cookie of a login session that we made. Decided without the database. */
  carriesSession: (headers: Headers) => boolean
  overload: Overload
  /** Whether the database answers. */
  isReady: () => Promise<boolean>
  /** Whether the process is about to stop: /readyz then says so. */
  isStopping: () => boolean
}

/**
 * A route that takes a signed body of at most `limit` bytes by POST. `receive` gets the bytes as they came,
 * and answers whether they were taken; null where the route is closed.
 */
export type SignedRoute = {
  path: `/api/${string}`
  limit: number
  receive: (ctx: Ctx, request: { raw: Buffer; headers: Headers }) => Promise<boolean | null>
}

const streamsPerAddress = 50

/**
 * The edge. What holds for every request stands here, in this order: its id, its path, its client's address,
 * the headers of the answer, Origin, who it is, the blanket limits, the size of its body. Behind it are the
 * contract's calls, which refuse in their own sentences.
 */
export function httpApp(parts: HttpParts): HttpApp {
  const { kit, config, log } = parts
  const app: HttpApp = new Hono()
  const noteDenial = denialRecorder()
  app.onError(async (error, c) => {
    const problem = describeError(error, c.get('ctx'), c.get('requestId'))
    noteDenial(c.get('ctx'), {
      code: problem.code,
      requestId: c.get('requestId'),
      request: `${c.req.method} ${c.req.path}`,
      named: c.req.path,
      foreignOrigin: c.get('foreignOrigin'),
    })
    return (await errorAsPage(c, problem, parts)) ?? errorAnswer(c, problem)
  })
  const missing = async (c: HttpContext) => (await errorAsPage(c, nothingThere, parts)) ?? notFound(c)
  app.notFound(missing)

  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = newRequestId()
    const client = {
      address: clientAddress(c.env.incoming, config.trustedProxyHeader),
      userAgent: (c.req.header('user-agent') ?? '').slice(0, 400),
    }
    c.set('requestId', requestId)
    const span = beginSpan({ name: c.req.method, kind: 'server', cause: { requestId } })
    let own: Log | undefined
    c.set('ctx', {
      db: kit.db,
      kit,
      config,
      who: visitor,
      client,
      cause: span?.cause ?? { requestId },
      // Made when it is first used: most requests log nothing.
      get log() {
        return (own ??= log.child({ requestId }))
      },
    })
    const end = parts.overload.begin()
    try {
      if (isPlainPath(c.env.incoming.url ?? '') && c.req.method !== 'TRACE') await next()
      else c.res = await missing(c)
    } finally {
      end()
      endSpan(span, c)
    }
    if (c.env.outgoing.headersSent) return
    if (!c.get('complete')) {
      const cookie = await parts.cookiesAfter?.(c.get('ctx'), c.req.raw.headers, c.res.headers)
      if (cookie) c.res.headers.append('set-cookie', cookie)
      securityHeaders(c.req.path, c.res, config)
      if (c.req.path.startsWith('/api')) c.res.headers.append('vary', 'Origin')
      c.res.headers.set('x-request-id', requestId)
    }
    // Who asks again opens a connection to a process that goes on.
    if (parts.isStopping()) c.res.headers.set('connection', 'close')
    observeRequest(c.req.method, routeOf(c), c.res.status, (performance.now() - started) / 1000)
  })

  health(app, parts)
  for (const route of parts.signed ?? []) signedRoute(app, route)
  shedding(app, parts)
  admission(app, parts)
  liveStream(app, parts)
  parts.mount(app)
  calls(app, parts, noteDenial)
  app.all('/api/*', notFound)
  parts.pages(app)
  return app
}

function health(app: HttpApp, { isReady, isStopping }: HttpParts) {
  app.get('/livez', (c) => c.text('ok'))
  app.get('/readyz', async (c) => {
    if (isStopping()) return c.text('stopping', 503)
    return (await isReady()) ? c.text('ok') : c.text('not ready', 503)
  })
}

/**
 * Behind the health checks and what other programs sign, and before anything that costs. The files of the
 * screens are always served: they need no database.
 */
function shedding(app: HttpApp, { overload, carriesSession }: HttpParts) {
  app.use(async (c, next) => {
    if (!c.req.path.startsWith('/assets/')) {
      const stream = c.req.path === '/api/events'
      overload.refuseIfBusy({ signedIn: carriesSession(c.req.raw.headers), stream })
    }
    await next()
  })
}

/** Before the checks of origin and session: a program has neither. */
function signedRoute(app: HttpApp, { path, limit, receive }: SignedRoute) {
  app.post(path, async (c) => {
    const body = await readRawBody(c.req.raw, limit)
    const raw = Buffer.from(body ?? [])
    const taken = await receive(c.get('ctx'), { raw, headers: c.req.raw.headers })
    if (taken === null) return notFound(c)
    return taken ? c.json({ received: true }) : errorAnswer(c, notSigned)
  })
}

const notSigned: EdgeError = { status: 400, code: 'BAD_REQUEST', message: 'The signature does not fit.' }

/** Refuses requests of foreign pages, and callers above the blanket limits. */
function admission(app: HttpApp, { kit, config, authenticate, forms }: HttpParts) {
  const perSession = blanketLimiter(kit.db, { hits: 300, seconds: minute })
  const perAddress = blanketLimiter(kit.db, { hits: 120, seconds: minute })
  const origins = ownOrigins(config)

  app.post('/api/csp-reports', async (c) => {
    const ctx = c.get('ctx')
    await limitRate(kit.db, `csp:${ctx.client?.address}`, { hits: 20, seconds: minute })
    const reports = readPolicyReports(await readRawBody(c.req.raw, mostReportBytes))
    for (const report of reports)
      ctx.log.warn(
        { code: 'csp-report', ...report },
        'a browser reported a breach of the content security policy',
      )
    return c.body(null, 204)
  })

  const allow: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const ctx = c.get('ctx')
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const site = c.req.header('sec-fetch-site')
      const origin = c.req.header('origin') ?? ''
      if (!origins.has(origin) || (site && site !== 'same-origin')) {
        c.set('foreignOrigin', origin || `no origin, ${site ?? 'no site'}`)
        // Only to know whose browser was used. The answer is the same.
        ctx.who = await authenticate(ctx, c.req.raw.headers).catch(() => visitor)
        throw refuse('FORBIDDEN')
      }
    }
    ctx.who = await authenticate(ctx, c.req.raw.headers)
    const asked = isSignedIn(ctx.who)
      ? perSession(`session:${ctx.who.sessionId}`)
      : perAddress(`address:${ctx.client?.address}`)
    if (asked) await asked
    await next()
  }
  app.use('/api/*', allow)
  for (const path of forms ?? []) app.post(path, allow)
}

function liveStream(app: HttpApp, { live, config }: HttpParts) {
  const perAddress = new Map<string, number>()
  const origins = ownOrigins(config)

  app.get('/api/events', (c) => {
    if (c.req.method !== 'GET') return notFound(c)
    const { who, client } = c.get('ctx')
    const origin = c.req.header('origin')
    if (!isSignedIn(who) || (origin && !origins.has(origin))) throw refuse('UNAUTHORIZED')
    const address = client?.address ?? ''
    const open = perAddress.get(address) ?? 0
    if (open >= streamsPerAddress && config.mode === 'production')
      throw refuse('TOO_MANY_REQUESTS', undefined, 30)
    perAddress.set(address, open + 1)
    c.env.outgoing.on('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    })
    // The stream writes its answer itself, with the headers that every answer carries.
    const common = new Response(null, { headers: { 'x-request-id': c.get('requestId') } })
    securityHeaders(c.req.path, common, config)
    c.env.outgoing.setHeaders(common.headers)
    live.open({ memberId: who.id, sessionId: who.sessionId, res: c.env.outgoing })
    return RESPONSE_ALREADY_SENT
  })
}

/** The contract's calls, over the library's REST transport. */
function calls(
  app: HttpApp,
  { router, uploads, config }: HttpParts,
  noteDenial: ReturnType<typeof denialRecorder>,
) {
  const handle = openCalls<CallContext>(router, [
    async ({ next, context, procedure, input }) => {
      const { method, path } = procedure['~orpc'].route
      context.answer.call = path
      try {
        return await next()
      } catch (error) {
        noteDenial(context.ctx, {
          code: error instanceof ORPCError ? String(error.code) : '',
          requestId: context.requestId,
          request: `${method} /api${path}`,
          named: textsOf(input),
        })
        if (error instanceof ORPCError && error.defined) throw error
        const problem = describeError(error, context.ctx, context.requestId)
        if (problem.retryAfter) context.answer.headers.set('retry-after', String(problem.retryAfter))
        throw new ORPCError(problem.code, {
          status: problem.status,
          message: problem.message,
          data: problem.data,
        })
      }
    },
  ])
  const common = { ...headersOfCalls(config), vary: 'Origin' }
  const uploadPaths = uploads.map((path) => new RegExp(`^${path.replace(':id', '[^/]+')}$`))

  app.all('/api/*', async (c, next) => {
    const ctx = c.get('ctx')
    const takesFile = c.req.method === 'POST' && uploadPaths.some((path) => path.test(c.req.path))
    if (takesFile && ctx.who.id === null) throw refuse('UNAUTHORIZED')
    const { request, hash } = await readRequest(c, takesFile)
    const answer = new CallHeaders()
    const key = idempotencyKey(c)
    const context: CallContext = {
      ctx,
      requestId: c.get('requestId'),
      headers: c.req.raw.headers,
      idempotencyKey: key,
      // Keyed, because bodies hold passwords and the table outlives the request by a day.
      requestHash: key ? createHmac('sha256', ctx.config.authSecret).update(hash).digest() : emptyBody,
      answer,
    }
    const answered = await handle(
      {
        method: request.method,
        url: new URL(request.url),
        body: async () => (takesFile ? request.formData() : parseBody(await request.text())),
      },
      context,
    )
    if (!answered) return next()
    c.set('call', answer.call)
    c.set('complete', true)
    // A plain object, because the library that sends it reads it as it is; a Headers object it would sort and
    // copy.
    const headers = { ...common, 'x-request-id': context.requestId }
    return new Response(answered.body, { status: answered.status, headers: answer.added(headers) })
  })
}

/** The headers that a call adds to its answer. Most add none. */
class CallHeaders {
  call: string | undefined
  #headers: Headers | undefined

  get headers() {
    return (this.#headers ??= new Headers())
  }

  added(common: Record<string, string>): Record<string, string> | Headers {
    if (!this.#headers) return common
    const all = new Headers(common)
    for (const [name, value] of this.#headers) all.append(name, value)
    return all
  }
}

/** The texts among the fields of an input. Deeper ones are left out, since an input may nest without end. */
function textsOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  return Object.values(input)
    .filter((value) => typeof value === 'string')
    .join(' ')
}

/** A body that cannot be parsed is refused by the transport as malformed. */
function parseBody(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

const emptyBody = Buffer.alloc(0)

/** A read has no body, and is not asked for one: that alone would make a second request of it. */
function readRequest(c: HttpContext, takesFile: boolean): ReadRequest | Promise<ReadRequest> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return { request: c.req.raw, hash: emptyBody }
  return takesFile ? readUploadBody(c.req.raw, c.get('ctx').who.id) : readJsonBody(c.req.raw)
}

function idempotencyKey(c: HttpContext) {
  const key = c.req.header('idempotency-key')
  if (key !== undefined && !isIdempotencyKey(key)) {
    throw new ORPCError('BAD_REQUEST', { message: 'Idempotency-Key must be a UUID.' })
  }
  return key
}

/**
 * Our own origins: the public one; in the demo also its loopback twin, so that localhost and 127.0.0.1 both
 * work.
 */
function ownOrigins({ origin, mode }: Config): ReadonlySet<string> {
  const twin = origin.includes('//localhost:')
    ? origin.replace('localhost', '127.0.0.1')
    : origin.replace('127.0.0.1', 'localhost')
  return new Set(mode === 'demo' ? [origin, twin] : [origin])
}

function isSignedIn(who: Who): who is Member & { sessionId: string } {
  return who.role !== 'visitor' && who.role !== 'system' && who.sessionId !== null
}

/**
 * One spelling per path: no doubled or encoded slashes, no dots, no parameters; below /api no disguised
 * letters and no slash at the end. Others are not found, so no check is passed by.
 */
function isPlainPath(url: string) {
  const path = url.split('?')[0] ?? ''
  return (
    path.startsWith('/') &&
    !/\/\/|\\|;|%2f|%5c|%00|%2e|\/\.\.?(\/|$)/i.test(path) &&
    !(/^\/(api|%61|a%70|ap%69)/i.test(path) && /%|\/$/.test(path))
  )
}

/**
 * The template that a request came to, fit for a label: of our own words only, so that no caller can make up
 * new ones.
 */
function routeOf(c: HttpContext) {
  const call = c.get('call')
  if (call) return `/api${call}`
  const path = c.req.path
  const own = matchedRoutes(c).find((route) => !route.path.includes('*'))
  if (own) return own.path
  if (path.startsWith('/api')) return '/api/*'
  return path.startsWith('/assets/') ? 'file' : 'page'
}

function endSpan(span: OpenSpan | undefined, c: HttpContext) {
  if (!span) return
  const [route, { method }, { status }] = [routeOf(c), c.req, c.res]
  span.end({
    name: `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    },
    failed: status >= 500,
  })
}

/**
 * The page of an error, for browsers that open pages: they accept HTML, while programs and our own
 * scripts do not.
 */
async function errorAsPage(c: HttpContext, problem: EdgeError, { errorPage }: HttpParts) {
  const opensPage = !/^\/api(\/|$)/.test(c.req.path) && c.req.header('accept')?.includes('text/html')
  if (!errorPage || !opensPage) return null
  try {
    const page = await errorPage(c, problem)
    if (problem.retryAfter) page?.headers.set('retry-after', String(problem.retryAfter))
    return page
  } catch (err) {
    c.get('ctx').log.error({ err }, 'the page of an error could not be drawn')
    return null
  }
}

/** The one answer for whatever is not there, or not the reader's. */
export function notFound(c: HttpContext): Response {
  return errorAnswer(c, nothingThere)
}

const nothingThere: EdgeError = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'This does not exist, or it is not yours.',
}

function errorAnswer(_c: HttpContext, { status, code, message, data, retryAfter }: EdgeError): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (retryAfter) headers.set('retry-after', String(retryAfter))
  return new Response(JSON.stringify({ defined: true, code, status, message, data }), { status, headers })
}
