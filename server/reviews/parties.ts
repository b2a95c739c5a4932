/** The columns of `Parties`. */
export const partyColumns = ['id', 'queueId', 'productId', 'reviewerId', 'sellerId'] as const

/** A review with the ids of its members, request and product, for its events and its end. */
export type Parties = {
  id: string
  queueId: string
  productId: string
  reviewerId: string
  sellerId: string
}
