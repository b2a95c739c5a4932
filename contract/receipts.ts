import { z } from 'zod'
import { category, lane } from './products.ts'
import { id, page } from './kit.ts'

/** What a review has passed before it counts, as its public receipt lists it. */
export const receiptChecks = {
  proof: 'Proof of purchase was accepted',
  use: 'The product was used for the minimum time before the review',
  length: 'The text has the minimum length',
  personal: 'No links and no personal data',
  answers: 'Both questions about its use were answered',
  attested: 'The writer attested the purchase and the use',
  disclosure: 'The text begins with the disclosure',
} as const
export type ReceiptCheck = keyof typeof receiptChecks

/** How a review became final. */
export const receiptEndings = {
  seller: 'The seller confirmed it',
  time: 'It passed its checks, and the seller’s time to object ended',
  staff: 'Our staff verified it',
} as const

/** The public receipt of one verified review. It names no one, and gives the day only. */
export type Receipt = {
  key: string
  productTitle: string
  marketplace: string
  verifiedPurchaseWord: string
  lane: z.infer<typeof lane>
  /** Days in UTC. */
  purchasedOn: string
  verifiedOn: string
  couponPriceCents: number
  disclosure: string
  aiAssisted: boolean
  checks: ReceiptCheck[]
  verifiedBy: keyof typeof receiptEndings
}

/** One review as its card shows it. The disclosure is part of it, and there are no stars. */
export type ReviewCard = {
  receipt: string
  verifiedOn: string
  disclosure: string
  text: string
  aiAssisted: boolean
}

/** The cards of a product: all of them count, and `cards` are those of one page, newest first. */
export type ReviewCards = {
  key: string
  productTitle: string
  marketplace: string
  verifiedPurchaseWord: string
  reviews: number
  cards: ReviewCard[]
  /** The page of `cards`, from 1 on, and how many there are. */
  page: number
  pages: number
}

/** How many cards the picture shows, and how many a page. */
export const cardsShown = { picture: 3, page: 20 }
/** How wide the picture is, in CSS pixels. */
export const cardsWidth = 640
/** For how long others may keep the picture, in seconds. */
export const cardsKeptSeconds = 300

/** The switch of one of my products. */
const cardSwitch = z.object({
  productId: id,
  title: z.string(),
  category,
  image: id.nullable(),
  lane,
  /** How many reviews the cards show. */
  reviews: z.int(),
  shown: z.boolean(),
  /** The end of the public address; null until the cards were switched on once. */
  key: z.string().nullable(),
})
export type CardSwitch = z.infer<typeof cardSwitch>
export const cardSwitches = page(cardSwitch)
