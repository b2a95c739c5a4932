import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'
import { myProductLists } from './my-products.ts'

// A card shows its request, its figures and why it cannot be requested now. The reason depends on the
// member's standing.
const cards = () => [...myProductLists(), api.products.getProduct.key()]
const marketplacesAndCards = () => [api.products.listMarketplaces.key(), ...cards()]
const cardsAndFigures = () => [...cards(), api.reviews.getDashboard.key()]

/** Which of this module's queries are out of date after an event. */
export const refetchOn: RefetchOn = {
  'marketplace.closed': marketplacesAndCards,
  'marketplace.reopened': marketplacesAndCards,
  'member.verified': cards,
  'member.changed': cards,
  'membership.changed': cards,
  'product.changed': cardsAndFigures,
  'product.deleted': cardsAndFigures,
  'request.queued': cards,
  'request.cancelled': cards,
  'request.held': cards,
  'offer.made': cards,
  'offer.accepted': cards,
  'offer.declined': cards,
  'offer.expired': cards,
  'offer.withdrawn': cards,
  'review.opened': cardsAndFigures,
  'review.purchased': cardsAndFigures,
  'review.submitted': cardsAndFigures,
  'review.returned': cardsAndFigures,
  'review.verified': cardsAndFigures,
  'review.lapsed': cardsAndFigures,
  'review.removed': cardsAndFigures,
  'review.amended': cardsAndFigures,
}
