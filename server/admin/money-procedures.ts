import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { getMoney } from './money.ts'

export const moneyProcedures: Procedures<'money'> = {
  getMoney: api.money.getMoney.by((ctx) => getMoney(ctx)),
}
