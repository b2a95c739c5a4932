import { z } from 'zod'
import { call, done, id, line, refusing, time } from './kit.ts'
import { standingRefusals } from './membership.ts'

/**
 * How many people, shops and listings a member may declare: this share of the members who take part, and at
 * least and at most so many. Few enough that no member can choose who reviews them.
 */
export const declarationLimits = { share: 0.1, least: 2, most: 10 }
/** A declaration binds for this many days after it was removed. */
export const declarationEndDays = 30
/** The longest name of a shop, in characters. */
export const shopNameLength = 80
/** The longest username or address that can be named, in characters. */
const namedLength = 300

/** How many declarations a member may have in a club with so many members who take part. */
export function declarationLimitOf(members: number): number {
  const { share, least, most } = declarationLimits
  return Math.min(most, Math.max(least, Math.floor(members * share)))
}

const declarationKinds = ['household', 'conflict', 'competitor'] as const
export type DeclarationKind = (typeof declarationKinds)[number]
const declarationKind = z.enum(declarationKinds)

export const organizationRefusals = {
  ...standingRefusals,
  UNKNOWN_MEMBER: { status: 404, message: 'No member has this username.' },
  NAMED_SELF: { status: 409, message: 'This is you.' },
  SHOP_ADDRESS: {
    status: 400,
    message: 'Enter the address of a page on a marketplace that is open here.',
  },
  SHOP_IS_LISTING: {
    status: 400,
    message: 'This is the address of a product. Enter the address of your shop.',
  },
  SHOP_EXISTS: {
    status: 409,
    message: 'You already have a shop on this marketplace. Edit that one instead.',
  },
  ALREADY_DECLARED: { status: 409, message: 'You have already declared this.' },
  DECLARATION_LIMIT: {
    status: 409,
    message: 'You have declared as many as your club allows. Removed ones count until they stop binding.',
  },
}

const answer = z.enum(['confirmed', 'denied'])

const declaration = z.object({
  id,
  /** `former_shop`: an address that was mine. It binds until it ends. */
  kind: z.enum([...declarationKind.options, 'former_shop']),
  /** The username or the address. */
  namedAs: z.string(),
  createdAt: time,
  /** Until when it binds, after it was removed; null while it stands. */
  endsAt: time.nullable(),
  /** What the named member of a household or team answered; null without an answer. */
  answer: answer.nullable(),
})
export type Declaration = z.infer<typeof declaration>

const household = z.object({
  id,
  /** The username of the member who named me. */
  by: z.string(),
  createdAt: time,
  endsAt: time.nullable(),
  answer: answer.nullable(),
})
export type Household = z.infer<typeof household>

const shop = z.object({ id, name: z.string(), address: z.string(), marketplaceName: z.string() })
export type Shop = z.infer<typeof shop>

const organizationPage = z.object({
  shops: z.array(shop),
  declarations: z.array(declaration),
  /** Members who say that I belong to their household or team, the latest first, at most 50. */
  households: z.array(household),
  /** Sellers with whom I stated a conflict of interest when I declined an offer. */
  declinedFor: z.int(),
  limit: z.object({ used: z.int(), most: z.int() }),
})
export type Organization = z.infer<typeof organizationPage>

export const organization = {
  getOrganization: call
    .route({ method: 'GET', path: '/organization', summary: 'My shops and what I declared' })
    .output(organizationPage),
  saveShop: call
    .route({
      method: 'POST',
      path: '/organization/shops',
      summary: 'Add my shop on a marketplace, or change its name or address',
    })
    .input(
      z.strictObject({
        /** The shop that is changed; without it, one is added. */
        id: id.optional(),
        name: line(shopNameLength, 1),
        address: line(namedLength, 1),
      }),
    )
    .output(done)
    .errors(refusing(organizationRefusals)),
  removeShop: call
    .route({ method: 'DELETE', path: '/organization/shops/{id}', summary: 'Remove one of my shops' })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(organizationRefusals)),
  addDeclaration: call
    .route({
      method: 'POST',
      path: '/organization/declarations',
      summary: 'Declare a member, a shop or a listing that I must never be matched with',
    })
    .input(z.strictObject({ kind: declarationKind, named: line(namedLength, 1) }))
    .output(done)
    .errors(refusing(organizationRefusals)),
  removeDeclaration: call
    .route({
      method: 'POST',
      path: '/organization/declarations/{id}/remove',
      summary: 'Remove a declaration, which binds for 30 more days',
    })
    .input(z.strictObject({ id }))
    .output(done),
  keepDeclaration: call
    .route({
      method: 'POST',
      path: '/organization/declarations/{id}/keep',
      summary: 'Keep a declaration that I removed and that still binds',
    })
    .input(z.strictObject({ id }))
    .output(done),
  answerHousehold: call
    .route({
      method: 'POST',
      path: '/organization/households/{id}',
      summary: 'Say whether I belong to the household or team of the member who named me',
    })
    .input(z.strictObject({ id, belongs: z.boolean() }))
    .output(done),
}
