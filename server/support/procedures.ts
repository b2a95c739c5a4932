import { api, limited, member } from '#server/kit/api.ts'
import { hour } from '#server/kit/rate-limit.ts'
import { submitSupportRequest } from './support.ts'

const calls = api.support

export const supportProcedures = {
  submitSupportRequest: calls.submitSupportRequest
    .use(limited('support', { hits: 5, seconds: hour }))
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await submitSupportRequest(ctx, input)
      return { ok: true as const }
    }),
}
