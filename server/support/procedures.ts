import { contactMessage } from '#contract/support.ts'
import { anyone, api, limited, member } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { limitContact, sendContactMessage } from './contact.ts'
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

  sendContactMessage: calls.sendContactMessage
    .use(async ({ context, next }, input: unknown) => {
      const { data } = contactMessage.safeParse(input)
      if (data) await limitContact(context.ctx, data.email)
      return next()
    })
    .use(anyone)
    .handler(async ({ context: { ctx }, input }) => {
      await sendContactMessage(ctx, input)
      return { ok: true as const }
    }),
}
