// Renders the public pages from their sources during development, for the browser and for the web process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Plugin, ViteDevServer } from 'vite'
import type { LiveFacts, PageGiven, PageRenderer } from '#contract/pages.ts'
import { drawAt } from '#server/dev/pages.ts'

/** The address that serves the data of live pages. */
const factsAt: Record<keyof LiveFacts, string> = {
  status: '/api/status',
  figures: '/api/figures',
  marketplaces: '/api/listed-marketplaces',
  drawDays: '/fairness/draws.json',
}

/**
 * Serves each public page from its sources, and renders one for the web process on request. Any other path,
 * and screens for signed-in members, go on to Vite.
 */
export function publicPages(): Plugin {
  return {
    name: 'public-pages',
    apply: 'serve',
    // Development runs as a demo, and the server that marks the screens does not serve them there.
    transformIndexHtml: (html) => html.replace('<html lang="en">', '<html lang="en" data-demo>'),
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => void answerOrPass(vite, request, response, next))
    },
    hotUpdate({ modules, server }) {
      // These pages cannot be hot-replaced, so they reload.
      if (this.environment.name === 'ssr' && modules.length > 0) server.ws.send('public-pages-changed')
    },
  }
}

async function answerOrPass(
  vite: ViteDevServer,
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) {
  try {
    if (!(await answer(vite, request, response))) next()
  } catch (error) {
    next(error)
  }
}

async function answer(vite: ViteDevServer, request: IncomingMessage, response: ServerResponse) {
  const url = request.url ?? '/'
  if (request.method === 'POST' && url === drawAt) {
    // Sent by our own web process.
    const { path, given } = JSON.parse(await text(request)) as { path: string; given: PageGiven }
    return send(vite, response, path, given)
  }
  const at = url.split('?')[0]
  const page = request.method === 'GET' && (await rendererOf(vite)).pages.find(({ path }) => path === at)
  if (!page) return false
  const ask = askerFor(request)
  const signedIn = (await ask('/api/me')) !== undefined
  if (signedIn && page.screenForMembers) return false
  const origin = `http://${request.headers.host}`
  const live = await Promise.all((page.live ?? []).map(async (name) => [name, await ask(factsAt[name])]))
  const payments = process.env['STRIPE_SECRET_KEY'] ? 'test' : 'closed'
  return send(vite, response, page.path, {
    origin,
    demo: true,
    payments,
    signedIn,
    ...Object.fromEntries(live),
  })
}

async function send(vite: ViteDevServer, response: ServerResponse, path: string, given: PageGiven) {
  const html = await (await rendererOf(vite)).render(path, given)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(await vite.transformIndexHtml(path, html))
  return true
}

async function rendererOf(vite: ViteDevServer) {
  // The module's only export has this type.
  const { renderer } = (await vite.ssrLoadModule('/marketing/render.tsx')) as { renderer: PageRenderer }
  return renderer
}

/** Asks the web process with this request's cookies. Returns undefined when it does not answer. */
function askerFor({ headers: { cookie } }: IncomingMessage) {
  return async (path: string): Promise<unknown> => {
    const headers = cookie ? { cookie } : undefined
    const answer = await fetch(`${process.env['EVENHAND_WEB_ORIGIN']}${path}`, { headers }).catch(
      () => undefined,
    )
    return answer?.ok ? answer.json() : undefined
  }
}
