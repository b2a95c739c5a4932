// Serves the public pages. A document depends on the public origin, the mode and whether the reader is signed
// in. Each is rendered once, after the start or when first requested, and kept compressed; live pages are
// rendered again.
import { pathToFileURL } from 'node:url'
import type { LiveFacts, PageGiven, PageRenderer, PublicPage } from '#contract/pages.ts'
import type { SiteFacts } from '#contract/site.ts'
import type { Ctx, Who } from '#server/kit/ctx.ts'
import { paymentsModeOf } from '#server/kit/config.ts'
import type { Config } from '#server/kit/config.ts'
import type { HttpApp, HttpContext } from '#server/kit/http/http.ts'
import { compressed, sendFile } from '#server/kit/http/static.ts'
import type { SentFile } from '#server/kit/http/static.ts'

/** Reads the facts of the live pages, by name. */
export type LiveReaders = { [Name in keyof LiveFacts]: (ctx: Ctx) => Promise<LiveFacts[Name]> }

type PagesParts = {
  renderer: PageRenderer
  authenticate: (ctx: Ctx, headers: Headers) => Promise<Who>
  live: LiveReaders
}

/** Loads the file that the build made of the public pages. */
export async function loadPages(path: string): Promise<PageRenderer> {
  // The type of the build's only export.
  const built = (await import(pathToFileURL(path).href)) as { renderer: PageRenderer }
  return built.renderer
}

/** How long a live page may show facts that were read before, in milliseconds. */
const liveFor = 15_000
const caching = 'no-cache'
const vary = 'Cookie, Accept-Encoding'

const missingPath = '/404'

type Sent = number | { status: number; keep: true }

export type Pages = {
  /** Renders the pages without live facts, one after the other, so that the first visitor does not wait. */
  renderAhead(config: Config): Promise<void>
  /** The page for an address that does not exist, with status 404. */
  missing(c: HttpContext): Promise<Response>
  /**
   * A page rendered for this one answer, for example a form with its errors. `keep`: browsers may keep it,
   * and ask whether it still holds.
   */
  answer(c: HttpContext, path: string, facts: Partial<SiteFacts>, sent: Sent): Promise<Response>
}

/** Serves the public pages, each in a version for visitors and one for members. */
export function mountPages(app: HttpApp, { renderer, authenticate, live }: PagesParts): Pages {
  const pages = new Map(renderer.pages.map((page) => [page.path, page]))
  const screensForMembers = new Set(
    renderer.pages.filter((page) => page.screenForMembers).map(({ path }) => firstPart(path)),
  )
  const kept = new Map<string, Promise<SentFile>>()
  const read = liveReader(live)

  app.get('*', async (c, next) => {
    const path = c.req.path
    const page = pages.get(path)
    const belowPages = screensForMembers.has(firstPart(path))
    if (page || belowPages) {
      const signedIn = await isSignedIn(c)
      if (signedIn && belowPages) return next()
      return page ? sendPage(c, page, signedIn) : sendMissing(c, signedIn)
    }
    const bare = path.replace(/\/$/, '')
    return pages.has(bare) ? c.redirect(bare, 301) : next()
  })

  return {
    renderAhead,
    missing: async (c) => sendMissing(c, await isSignedIn(c)),
    async answer(c, path, facts, sent) {
      const { status, keep } = typeof sent === 'number' ? { status: sent, keep: false } : sent
      const signedIn = await isSignedIn(c)
      const file = await renderFile(path, { ...given(c.get('ctx').config, signedIn), ...facts }, 5)
      return sendFile(c, file, { caching: keep ? caching : 'no-store', vary, status })
    },
  }

  async function sendPage(c: HttpContext, { path, live }: PublicPage, signedIn: boolean) {
    const { config } = c.get('ctx')
    if (!live) return sendFile(c, await keptPage(config, path, signedIn), { caching, vary })
    const { facts, rendered } = await read(c.get('ctx'), live)
    const key = `${signedIn} ${path}`
    const file = rendered.get(key) ?? renderFile(path, { ...given(config, signedIn), ...facts }, 5)
    rendered.set(key, file)
    return sendFile(c, await file, { caching, vary })
  }

  async function sendMissing(c: HttpContext, signedIn: boolean) {
    return sendFile(c, await keptPage(c.get('ctx').config, missingPath, signedIn), {
      caching,
      vary,
      status: 404,
    })
  }

  function keptPage(config: Config, path: string, signedIn: boolean) {
    const key = `${signedIn} ${path}`
    const file = kept.get(key) ?? renderFile(path, given(config, signedIn), 9)
    kept.set(key, file)
    return file
  }

  async function renderAhead(config: Config) {
    const fixed = renderer.pages.filter(({ live }) => !live).map(({ path }) => path)
    for (const signedIn of [false, true])
      for (const path of [...fixed, missingPath]) await keptPage(config, path, signedIn)
  }

  async function renderFile(path: string, given: PageGiven, quality: number): Promise<SentFile> {
    return compressed(await renderer.render(path, given), 'text/html; charset=utf-8', quality)
  }

  /** False while the database cannot be read: the pages work without it, in their version for visitors. */
  async function isSignedIn(c: HttpContext) {
    const ctx = c.get('ctx')
    const who = await authenticate(ctx, c.req.raw.headers).catch((err: unknown) => {
      ctx.log.warn({ err }, 'sessions cannot be read: a public page is sent in its version for visitors')
      return undefined
    })
    return who !== undefined && who.id !== null
  }
}

function given(config: Config, signedIn: boolean): PageGiven {
  const { origin, mode, operator, beacon } = config
  const payments = paymentsModeOf(config)
  return {
    origin,
    demo: mode === 'demo',
    payments,
    operator: operator ?? undefined,
    signedIn,
    beacon: beacon !== null,
  }
}

function firstPart(path: string) {
  return path.split('/')[1] ?? ''
}

type Reading = { until: number; value: Promise<Partial<LiveFacts>> }
type Read = { facts: Partial<LiveFacts>; rendered: Map<string, Promise<SentFile>> }

/**
 * Reads each kind of fact at most every fifteen seconds. A page is kept until one of its facts is read again.
 */
function liveReader(live: LiveReaders) {
  const latest = new Map<keyof LiveFacts, Reading>()
  const kept = new Map<string, { readings: Reading[]; rendered: Read['rendered'] }>()

  return async function read(ctx: Ctx, names: readonly (keyof LiveFacts)[]): Promise<Read> {
    const readings = names.map((name) => readOne(ctx, name))
    const before = kept.get(names.join())
    const isSame = before?.readings.every((reading, place) => reading === readings[place])
    const rendered = before && isSame ? before.rendered : new Map<string, Promise<SentFile>>()
    kept.set(names.join(), { readings, rendered })
    const values = await Promise.all(readings.map(({ value }) => value))
    return { facts: Object.assign({}, ...values) as Partial<LiveFacts>, rendered }
  }

  function readOne(ctx: Ctx, name: keyof LiveFacts): Reading {
    const before = latest.get(name)
    if (before && before.until > performance.now()) return before
    const asked: Promise<unknown> = live[name](ctx)
    const value = asked.then(
      (fact) => ({ [name]: fact }),
      (err: unknown) => {
        ctx.log.warn({ err }, 'a public page is sent without its live facts')
        return {}
      },
    )
    const reading = { until: performance.now() + liveFor, value }
    latest.set(name, reading)
    return reading
  }
}
