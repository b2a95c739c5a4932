import { erasuresPerDay, exportsPerDay } from '#contract/privacy.ts'
import { sessionCookie } from '#server/accounts/cookies.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { api } from '#server/kit/http/api.ts'
import type { Check, Procedures } from '#server/kit/http/api.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { eraseAccount } from './erasure.ts'
import { requestExport } from './export.ts'
import { findExport, getErasureFacts } from './reads.ts'

const calls = api.privacy

export const privacyProcedures: Procedures<'privacy'> = {
  requestExport: calls.requestExport
    .after(freshADay('export-data', exportsPerDay))
    .by((ctx) => requestExport(ctx)),
  findExport: calls.findExport.by((ctx) => findExport(ctx)),

  getErasureFacts: calls.getErasureFacts.by((ctx) => getErasureFacts(ctx)),
  eraseAccount: calls.eraseAccount
    .after(freshADay('erase-account', erasuresPerDay))
    .by(async (ctx, input, { answer }) => {
      await eraseAccount(ctx, input)
      answer.headers.append('set-cookie', sessionCookie(ctx.config, null))
      answer.headers.set('clear-site-data', '"cache", "storage"')
    }),
}

/**
 * Limits calls per day. A call refused as NOT_FRESH does not count, because it is sent again after
 * confirmation.
 */
function freshADay(name: string, perDay: number): Check {
  return async ({ ctx }) => {
    if (ctx.who.id === null) return
    await requireFresh(memberOf(ctx))
    await limitRate(ctx.kit.db, `${name}:${ctx.who.id}`, { hits: perDay, seconds: 24 * hour })
  }
}
