import { erasuresPerDay, exportsPerDay } from '#contract/privacy.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { sessionCookie } from '#server/accounts/cookies.ts'
import { api, member } from '#server/kit/http/api.ts'
import type { CallContext } from '#server/kit/http/api.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { eraseAccount } from './erasure.ts'
import { requestExport } from './export.ts'
import { findExport, getErasureFacts } from './reads.ts'

const calls = api.privacy

export const privacyProcedures = {
  requestExport: calls.requestExport
    .use(async ({ context, next }) => {
      await limitFresh(context, 'export-data', exportsPerDay)
      return next()
    })
    .use(member)
    .handler(({ context: { ctx } }) => requestExport(ctx)),

  findExport: calls.findExport.use(member).handler(({ context: { ctx } }) => findExport(ctx)),

  getErasureFacts: calls.getErasureFacts.use(member).handler(({ context: { ctx } }) => getErasureFacts(ctx)),

  eraseAccount: calls.eraseAccount
    .use(async ({ context, next }) => {
      await limitFresh(context, 'erase-account', erasuresPerDay)
      return next()
    })
    .use(member)
    .handler(async ({ context: { ctx, answer }, input }) => {
      await eraseAccount(ctx, input)
      answer.headers.append('set-cookie', sessionCookie(ctx.config, null))
      answer.headers.set('clear-site-data', '"cache", "storage"')
      return { ok: true as const }
    }),
}

/** So many a day. What is refused for want of a fresh proof does not count: it is asked again right after. */
async function limitFresh({ ctx }: CallContext, name: string, perDay: number) {
  if (ctx.who.id === null) return
  await requireFresh(memberOf(ctx))
  await limitRate(ctx.kit.db, `${name}:${ctx.who.id}`, { hits: perDay, seconds: 24 * hour })
}
