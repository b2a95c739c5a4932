import { contactMessage } from '#contract/support.ts'
import { api, limited } from '#server/kit/http/api.ts'
import type { CallContext, Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { limitContact, sendContactMessage } from './contact.ts'
import { submitSupportRequest } from './support.ts'

const calls = api.support

export const supportProcedures: Procedures<'support'> = {
  submitSupportRequest: calls.submitSupportRequest
    .after(limited('support', { hits: 5, seconds: hour }))
    .by((ctx, input) => submitSupportRequest(ctx, input)),
  sendContactMessage: calls.sendContactMessage
    .after(limitValidMessage)
    .by((ctx, input) => sendContactMessage(ctx, input)),
}

/** Counts only messages that their schema accepts. */
async function limitValidMessage({ ctx }: CallContext, input: unknown) {
  const { data } = contactMessage.safeParse(input)
  if (data) await limitContact(ctx, data.email)
}
