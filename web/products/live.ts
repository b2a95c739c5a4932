import type { QueryKey } from '@tanstack/react-query'
import { liveEvents } from '#contract/live.ts'
import type { EventIds, EventName } from '#contract/live.ts'
import { api } from '#web/api.ts'

// A card shows its request, its figures and why it cannot be asked for now, which hangs on the member's whole standing.
const ofProducts = () => [api.products.listProducts.key(), api.products.getProduct.key()]
const ofFigures = () => [...ofProducts(), api.reviews.getDashboard.key()]

/** Which of this room's answers are out of date after an event. */
export const refetchOn: Partial<Record<EventName, (ids: EventIds) => QueryKey[]>> = Object.fromEntries(
  liveEvents
    .filter((name) => /^(product|request|offer|review|member|membership)\./.test(name))
    .map((name) => [name, /^(product|review)\./.test(name) ? ofFigures : ofProducts]),
)
