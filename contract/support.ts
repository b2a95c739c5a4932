import { z } from 'zod'
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
}
