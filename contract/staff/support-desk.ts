import { z } from 'zod'
import { call, done, id, line, page, pageOf, prose, refusing, time } from '../kit.ts'
import { membershipStates } from '../membership.ts'
import { tally } from './lists.ts'
import { supportCategory, supportDeskRefusals, supportRefusals, supportStatus } from '../support.ts'

/** The longest answer, note and saved reply, in characters. */
const supportLengths = { body: 5000, title: 80 }

const body = prose(supportLengths.body, 1)

/** A member of staff who answers messages. */
const colleague = z.object({ id, name: z.string() })
export type Colleague = z.infer<typeof colleague>

/** A message to our staff, as a row of the list. */
const messageRow = z.object({
  id,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  /** The first 200 characters. */
  excerpt: z.string(),
  status: supportStatus,
  assignedTo: colleague.nullable(),
  version: z.int(),
  createdAt: time,
})
export type MessageRow = z.infer<typeof messageRow>

/** `unsure`: the mail left the outbox, which keeps nothing of mails to people without an account. */
const delivery = z.enum(['waiting', 'sent', 'failed', 'unsure'])

/** What followed a message: an `answer` by mail, a `reply` of the writer, or a `note` among the staff. */
const threadEntry = z.object({
  id,
  kind: z.enum(['answer', 'reply', 'note']),
  author: z.string(),
  mine: z.boolean(),
  body: z.string(),
  createdAt: time,
  delivery: delivery.nullable(),
})
export type ThreadEntry = z.infer<typeof threadEntry>

/** What staff need to know of the member who wrote. */
const writer = z.object({
  id,
  name: z.string(),
  username: z.string().nullable(),
  email: z.string(),
  joinedAt: time,
  membership: z.enum(membershipStates),
  paused: z.boolean(),
  suspended: z.boolean(),
  /** Whether the member is in the rotation now; null before they entered it. */
  standing: z.enum(['in', 'paused', 'out']).nullable(),
  openRequests: z.int(),
  reviewsToWrite: z.int(),
  openOffers: z.int(),
})

const thread = z.object({
  id,
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  category: supportCategory,
  subject: z.string(),
  message: z.string(),
  status: supportStatus,
  via: z.enum(['account', 'contact']),
  assignedTo: colleague.nullable(),
  version: z.int(),
  createdAt: time,
  resolvedAt: time.nullable(),
  entries: z.array(threadEntry),
  writer: writer.nullable(),
  /** Other messages of the same member, or of the same address. The newest ten. */
  earlier: z.array(z.object({ id, subject: z.string(), status: supportStatus, createdAt: time })),
  colleagues: z.array(colleague),
  /** The address that an answer goes to now. */
  answersTo: z.string(),
  /** An earlier mail to that address bounced, so an answer waits in the member's account only. */
  bounced: z.boolean(),
})
export type Thread = z.infer<typeof thread>

const savedReply = z.object({ id, title: z.string(), body: z.string(), changedAt: time })
export type SavedReply = z.infer<typeof savedReply>

const one = z.strictObject({ id })
const seen = z.strictObject({ id, version: z.int().min(1) })
const changed = z.object({ version: z.int() })
const saved = { title: line(supportLengths.title, 1), body }

/** Which messages: the filters of the list and of its export. */
export const messageFilter = z.strictObject({
  search: line(200).optional(),
  status: supportStatus.optional(),
  assigned: z.enum(['me', 'no_one']).optional(),
  order: z.enum(['newest', 'oldest']).optional(),
})
export type MessageFilter = z.infer<typeof messageFilter>

export const supportDesk = {
  listMessages: call
    .route({ method: 'GET', path: '/admin/support', summary: 'Messages to our staff' })
    .input(pageOf.extend(messageFilter.shape))
    .output(page(messageRow).extend({ matching: tally, total: tally })),
  getThread: call
    .route({ method: 'GET', path: '/admin/support/{id}', summary: 'A message with all answers' })
    .input(one)
    .output(thread),
  answerMessage: call
    .route({ method: 'POST', path: '/admin/support/{id}/answers', summary: 'Answer by mail' })
    .input(seen.extend({ body, resolve: z.boolean() }))
    .output(changed)
    .errors(refusing(supportDeskRefusals, supportRefusals)),
  addNote: call
    .route({ method: 'POST', path: '/admin/support/{id}/notes', summary: 'Leave a note for staff' })
    .input(one.extend({ body }))
    .output(done)
    .errors(refusing(supportRefusals)),
  assignMessage: call
    .route({ method: 'POST', path: '/admin/support/{id}/assignee', summary: 'Assign a message' })
    .input(seen.extend({ to: id.nullable() }))
    .output(changed)
    .errors(refusing(supportDeskRefusals)),
  resolveMessage: call
    .route({ method: 'POST', path: '/admin/support/{id}/resolve', summary: 'Mark as resolved' })
    .input(seen)
    .output(changed)
    .errors(refusing(supportDeskRefusals)),
  reopenMessage: call
    .route({ method: 'POST', path: '/admin/support/{id}/reopen', summary: 'Open again' })
    .input(seen)
    .output(changed)
    .errors(refusing(supportDeskRefusals)),
  listSavedReplies: call
    .route({ method: 'GET', path: '/admin/saved-replies', summary: 'Saved replies by title' })
    .output(z.array(savedReply)),
  addSavedReply: call
    .route({ method: 'POST', path: '/admin/saved-replies', summary: 'Save a reply', successStatus: 201 })
    .input(z.strictObject(saved))
    .output(savedReply)
    .errors(refusing(supportDeskRefusals)),
  editSavedReply: call
    .route({ method: 'PUT', path: '/admin/saved-replies/{id}', summary: 'Change a saved reply' })
    .input(z.strictObject({ id, ...saved }))
    .output(savedReply)
    .errors(refusing(supportDeskRefusals)),
  deleteSavedReply: call
    .route({ method: 'DELETE', path: '/admin/saved-replies/{id}', summary: 'Delete a saved reply' })
    .input(one)
    .output(done),
}
