/**
 * The events of the live stream, and the ids that recipients receive with each. A message holds a name and
 * ids, never data: its recipient queries again with their own rights. No id here is a member's, because both
 * sides of an exchange receive the events of offers and reviews. `sync` is sent first on every stream and
 * after a gap: query everything on the screen again.
 */
const idNames = {
  sync: [],
  'session.ended': ['sessionId'],
  'member.verified': [],
  'member.changed': [],
  'membership.changed': [],
  'product.changed': ['productId'],
  'product.deleted': ['productId'],
  'marketplace.closed': ['closureId'],
  'marketplace.reopened': ['closureId'],
  'organization.changed': [],
  'request.queued': ['queueId', 'productId'],
  'request.cancelled': ['queueId', 'productId'],
  'request.held': ['queueId', 'productId'],
  'offer.made': ['queueId'],
  'offer.accepted': ['queueId'],
  'offer.declined': ['queueId'],
  'offer.set_aside': ['queueId'],
  'offer.expired': ['queueId'],
  'offer.withdrawn': ['queueId'],
  'review.opened': ['reviewId'],
  'review.purchased': ['reviewId'],
  'review.submitted': ['reviewId'],
  'review.returned': ['reviewId'],
  'review.verified': ['reviewId'],
  'review.lapsed': ['reviewId'],
  'review.amended': ['reviewId'],
  'review.removed': ['reviewId'],
  'case.changed': ['caseId'],
  'notice.created': ['noticeId'],
  'notice.read': [],
  'export.changed': ['exportId'],
  'support.changed': ['messageId'],
} as const satisfies Record<string, readonly string[]>

/**
 * A stream says so often that it lives, by an event of this type. A reader that receives nothing for longer
 * takes it for dead, since a lost connection says nothing either.
 */
export const beat = { type: 'beat', everySeconds: 20 } as const

export type EventName = keyof typeof idNames
/** What the recipients of an event receive besides its name. */
export type EventIds<N extends EventName> = { [Id in (typeof idNames)[N][number]]: string }
/** An event as its recipients receive it. */
export type LiveMessage<N extends EventName = EventName> = { [K in N]: { name: K; ids: EventIds<K> } }[N]

export const eventNames = Object.keys(idNames).filter(isEventName)

/** The message of an event, with the ids of the list above and no other entry of `fields`. */
export function liveMessage<N extends EventName>(name: N, fields: EventIds<N>): LiveMessage {
  const message = readLiveMessage({ name, ids: fields })
  if (!message) throw new Error(`${name} was emitted without all of its ids.`)
  return message
}

/**
 * Reads a received value as a message. Null for an unknown event or a missing id; further ids are dropped.
 */
export function readLiveMessage(value: unknown): LiveMessage | null {
  if (typeof value !== 'object' || value === null || !('name' in value && 'ids' in value)) return null
  const { name, ids } = value
  if (typeof name !== 'string' || !isEventName(name) || typeof ids !== 'object' || ids === null) return null
  const given = new Map<string, unknown>(Object.entries(ids))
  const known = idNames[name].map((id) => [id, given.get(id)] as const)
  if (known.some(([, id]) => typeof id !== 'string')) return null
  // The check before this line found each listed id to be a string.
  return { name, ids: Object.fromEntries(known) } as LiveMessage
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(idNames, name)
}
