import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, done, id, line, page, pageOf, prose, refusing, time } from './kit.ts'

export const supportCategories = {
  account: 'Account',
  exchange: 'Offers and reviews',
  product: 'My products',
  billing: 'Membership and billing',
  other: 'Something else',
} as const
export type SupportCategory = keyof typeof supportCategories
export const supportCategory = z.enum(Object.keys(supportCategories) as SupportCategory[])

/** A message is open until our staff has resolved it. */
export const supportStatus = z.enum(['open', 'resolved'])

export const supportRefusals = {
  FIELDS_MISSING: { status: 400, message: 'Please fill in all fields' },
  THREAD_FULL: {
    status: 409,
    message: 'This conversation is full. Please send a new message and name its reference.',
  },
}

/** What our staff may be refused, in the staff area. */
export const supportDeskRefusals = {
  THREAD_CHANGED: {
    status: 409,
    message: 'Someone changed this thread in the meantime. Read what is new, then send again.',
  },
  TITLE_TAKEN: { status: 409, message: 'Another saved reply has this title.' },
}

/** The most answers, replies and notes of one message. */
export const longestThread = 200

/** A message that I wrote. */
const myMessage = z.object({
  id,
  reference: z.string(),
  subject: z.string(),
  status: supportStatus,
  createdAt: time,
  /** When our staff last answered; null before. */
  answeredAt: time.nullable(),
})
export type MyMessage = z.infer<typeof myMessage>

/** One of my messages with what followed. Our staff answers without their names. */
const myThread = myMessage.extend({
  message: z.string(),
  entries: z.array(z.object({ id, mine: z.boolean(), body: z.string(), createdAt: time })),
})
export type MyThread = z.infer<typeof myThread>

/** The longest texts that the contact page accepts. */
export const contactLengths = { name: 100, email: 254, subject: 140, message: 5000 }

/** A message from the contact page, from any visitor. */
export const contactMessage = z.strictObject({
  name: line(contactLengths.name),
  email: z.string().max(contactLengths.email),
  subject: line(contactLengths.subject),
  message: prose(contactLengths.message),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const support = {
  submitSupportRequest: call
    .route({ method: 'POST', path: '/support', summary: 'Write to our staff', successStatus: 201 })
    .input(
      z.strictObject({
        category: supportCategory.or(z.literal('')),
        subject: line(contactLengths.subject),
        message: prose(contactLengths.message),
      }),
    )
    .output(done)
    .errors(refusing(supportRefusals)),
  listMyMessages: call
    .route({ method: 'GET', path: '/support', summary: 'My messages to our staff, newest first' })
    .input(pageOf)
    .output(page(myMessage)),
  getMyMessage: call
    .route({ method: 'GET', path: '/support/{id}', summary: 'One of my messages with its answers' })
    .input(z.strictObject({ id }))
    .output(myThread),
  replyToAnswer: call
    .route({ method: 'POST', path: '/support/{id}/replies', summary: 'Add to one of my messages' })
    .input(z.strictObject({ id, message: prose(contactLengths.message) }))
    .output(done)
    .errors(refusing(supportRefusals)),
  sendContactMessage: call
    .route({
      method: 'POST',
      path: '/contact',
      summary: 'Write to our staff without an account',
      successStatus: 201,
    })
    .input(contactMessage)
    .output(done)
    .errors(refusing(supportRefusals, { INVALID_EMAIL: accountRefusals.INVALID_EMAIL })),
}
