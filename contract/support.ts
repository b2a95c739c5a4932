import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, done, line, prose, refusing } from './kit.ts'

export const supportCategories = {
  account: 'Account',
  exchange: 'Offers and reviews',
  product: 'My products',
  billing: 'Membership and billing',
  other: 'Something else',
} as const
export type SupportCategory = keyof typeof supportCategories
export const supportCategory = z.enum(Object.keys(supportCategories) as SupportCategory[])

export const supportRefusals = {
  FIELDS_MISSING: { status: 400, message: 'Please fill in all fields' },
}

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
        subject: line(140),
        message: prose(5000),
      }),
    )
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
