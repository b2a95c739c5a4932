import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { refuse } from '#server/kit/refusal.ts'

export const moneyProcedures: Procedures<'money'> = {
  getMoney: api.money.getMoney.by(() => Promise.reject(refuse('PAYMENTS_CLOSED'))),
}
