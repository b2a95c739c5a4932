import { contactMessage } from '#contract/support.ts'
import { api, limited } from '#server/kit/http/api.ts'
import type { CallContext, Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { limitContact, sendContactMessage } from './contact.ts'
import { addNote, answerMessage, assignMessage, reopenMessage, resolveMessage } from './desk.ts'
import { getThread, listMessages } from './desk-reads.ts'
import { addSavedReply, deleteSavedReply, editSavedReply, listSavedReplies } from './saved-replies.ts'
import { submitSupportRequest } from './support.ts'
import { getMyMessage, listMyMessages, replyToAnswer } from './threads.ts'

const calls = api.support
const desk = api.supportDesk

export const supportProcedures: Procedures<'support'> = {
  submitSupportRequest: calls.submitSupportRequest
    .after(limited('support', { hits: 5, seconds: hour }))
    .by((ctx, input) => submitSupportRequest(ctx, input)),
  listMyMessages: calls.listMyMessages.by(listMyMessages),
  getMyMessage: calls.getMyMessage.by((ctx, { id }) => getMyMessage(ctx, id)),
  replyToAnswer: calls.replyToAnswer
    .after(limited('support-reply', { hits: 20, seconds: hour }))
    .by((ctx, input) => replyToAnswer(ctx, input)),
  sendContactMessage: calls.sendContactMessage
    .after(limitValidMessage)
    .by((ctx, input) => sendContactMessage(ctx, input)),
}

export const supportDeskProcedures: Procedures<'supportDesk'> = {
  listMessages: desk.listMessages.by(listMessages),
  getThread: desk.getThread.by((ctx, { id }) => getThread(ctx, id)),
  answerMessage: desk.answerMessage.by(answerMessage),
  addNote: desk.addNote.by(addNote),
  assignMessage: desk.assignMessage.by(assignMessage),
  resolveMessage: desk.resolveMessage.by(resolveMessage),
  reopenMessage: desk.reopenMessage.by(reopenMessage),
  listSavedReplies: desk.listSavedReplies.by(listSavedReplies),
  addSavedReply: desk.addSavedReply.by(addSavedReply),
  editSavedReply: desk.editSavedReply.by(editSavedReply),
  deleteSavedReply: desk.deleteSavedReply.by((ctx, { id }) => deleteSavedReply(ctx, id)),
}

/** Counts only messages that their schema accepts. */
async function limitValidMessage({ ctx }: CallContext, input: unknown) {
  const { data } = contactMessage.safeParse(input)
  if (data) await limitContact(ctx, data.email)
}
