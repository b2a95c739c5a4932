/**
 * What may happen, by name. The live stream carries a name and ids and never data: whoever hears it asks again with
 * their own rights. `sync` comes first on every stream and after a gap: ask again for everything shown.
 */
export const liveEvents = [
  'sync',
  'session.ended',
  'member.verified',
  'member.changed',
  'membership.changed',
  'product.changed',
  'product.deleted',
  'request.queued',
  'request.cancelled',
  'request.held',
  'offer.made',
  'offer.accepted',
  'offer.declined',
  'offer.expired',
  'offer.withdrawn',
  'review.opened',
  'review.purchased',
  'review.submitted',
  'review.returned',
  'review.verified',
  'review.lapsed',
  'notice.created',
  'notice.read',
  'export.changed',
] as const

export type EventName = (typeof liveEvents)[number]
export type EventIds = Record<string, string>
export type LiveMessage = { name: EventName; ids: EventIds }
