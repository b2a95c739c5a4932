// Requests to the sign-in library, and its answers. We build each request ourselves, from validated fields
// and chosen cookies of the client. Our answers have our own bodies, with the library's cookies.
import { ORPCError } from '@orpc/server'
import type { z } from 'zod'
import { signInBodies } from '#contract/sign-in.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readJsonBody } from '#server/kit/http/request-body.ts'
import { addressHeader, basePath } from './auth-paths.ts'
import type { Auth } from './better-auth.ts'

type Bodies = typeof signInBodies

/** Reads the body of a sign-in path. Refuses BAD_REQUEST for a body that does not fit the path's schema. */
export async function readBody<P extends keyof Bodies>(path: P, raw: Request): Promise<z.output<Bodies[P]>> {
  const { request } = await readJsonBody(raw)
  const body: unknown = await request.json().catch(() => undefined)
  const read = signInBodies[path].safeParse(body)
  if (!read.success) {
    throw new ORPCError('BAD_REQUEST', {
      message: 'Input validation failed',
      data: { issues: read.error.issues },
    })
  }
  // This path's schema has read it. The compiler cannot follow that through the table.
  return read.data as z.output<Bodies[P]>
}

/**
 * Calls the library, with a body by POST, otherwise by GET. Refuses TOO_MANY_REQUESTS. Throws the library's
 * errors.
 */
export async function ask(
  auth: Auth,
  ctx: Ctx,
  path: string,
  { body, cookie = '' }: { body?: object; cookie?: string },
): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', origin: ctx.config.origin })
  // We count an IPv6 address by its /64 network. The library needs a plain address.
  headers.set(addressHeader, (ctx.client?.address ?? '').replace(/\/64$/, ''))
  headers.set('user-agent', ctx.client?.userAgent ?? '')
  if (cookie) headers.set('cookie', cookie)
  const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
  const answer = await auth.handle(
    new Request(`${ctx.config.origin}${basePath}${path}`, { ...sent, headers }),
    ctx,
  )
  if (answer.status === 429) {
    throw refuse('TOO_MANY_REQUESTS', undefined, Number(answer.headers.get('x-retry-after') ?? 60))
  }
  return answer
}

/** The code of the library's refusal. Empty if the body has none. */
export async function codeIn(answer: Response): Promise<string> {
  const { code } = (await answer.json().catch(() => ({}))) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** An answer with our own body and these cookies. */
export function answerWith(cookies: string[], body: object = { ok: true }): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { headers })
}
