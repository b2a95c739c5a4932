import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { minute } from '#server/kit/http/rate-limit.ts'
import { find } from './find.ts'

export const searchProcedures: Procedures<'search'> = {
  find: api.search.find
    .after(limited('search', { hits: 120, seconds: minute }))
    .by((ctx, { text }) => find(ctx, text)),
}
