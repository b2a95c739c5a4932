// The pending cookie ties an unconfirmed sign-up to the browser that made it: only there does the link in the mail sign in by itself.
import type { Client, Ctx } from '#server/kit/ctx.ts'
import { readPendingCookie } from './cookies.ts'

// A call's context holds no headers, and every copy of it holds the same client. So what the request carried is noted under its client
// where the request is read, and found again by the calls that ask for it.
const noted = new WeakMap<Client, string>()

/** Notes the pending cookie of a request. */
export function notePending(ctx: Ctx, headers: Headers) {
  const value = readPendingCookie(ctx.config, headers)
  if (ctx.client && value) noted.set(ctx.client, value)
}

/** The pending cookie of the request that this context serves. */
export function findPending(ctx: Ctx): string | undefined {
  return ctx.client ? noted.get(ctx.client) : undefined
}
