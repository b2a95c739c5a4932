// What goes to the sign-in library and what comes back from it. Requests are of our own making: nothing that a client sent reaches the
// library but what is named. Answers have bodies of our own, with the library's cookies.
import { ORPCError } from '@orpc/server'
import type { z } from 'zod'
import { signInBodies } from '#contract/sign-in.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readJsonBody } from '#server/kit/http/request-body.ts'
import { addressHeader, basePath } from './auth-paths.ts'
import type { Auth } from './better-auth.ts'

type Bodies = typeof signInBodies

/** The body of one of the ways in. Refuses as bad input what is not of its shape. */
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
  // The schema of this very path has read it, which the compiler cannot follow through the table.
  return read.data as z.output<Bodies[P]>
}

/** Asks the library: with a body by POST, without one by GET. Refuses TOO_MANY_REQUESTS in its place; its accidents are thrown. */
export async function ask(
  auth: Auth,
  ctx: Ctx,
  path: string,
  { body, cookie = '' }: { body?: object; cookie?: string },
): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', origin: ctx.config.origin })
  // An IPv6 address counts as its /64, which the library wants to see as an address.
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

/** The code of the library's refusal. Whatever the body is, only that is looked at. */
export async function codeIn(answer: Response): Promise<string> {
  const { code } = (await answer.json().catch(() => ({}))) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Our own body with these cookies. */
export function answerWith(cookies: string[], body: object = { ok: true }): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { headers })
}
