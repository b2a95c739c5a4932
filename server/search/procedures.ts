import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { minute } from '#server/kit/http/rate-limit.ts'
import { onReplica } from '#server/kit/db/replica.ts'
import { find } from './find.ts'

export const searchProcedures: Procedures<'search'> = {
  find: api.search.find
    .after(limited('search', { hits: 120, seconds: minute }))
    .by((ctx, { text }) => onReplica(ctx, (ctx) => find(ctx, text))),
}
