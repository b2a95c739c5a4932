/** A review with the members, request and product it concerns: what its events and its end need. */
export type Parties = {
  id: string
  queueId: string
  productId: string
  reviewerId: string
  sellerId: string
}
