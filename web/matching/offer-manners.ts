import { useEffect, useEffectEvent } from 'react'
import { offerManners } from '#contract/matching-rules.ts'
import type { Offer } from '#contract/matching.ts'
import { isPointerInTheWay, sincePress } from './hands.ts'
import { keepInTab, readFromTab } from '#web/kit/tab-storage.ts'
import { serverNow } from '#web/kit/time.ts'
import { useJustAppeared } from '#web/kit/ui/use-just-appeared.ts'
import { hideOffer, isOccupied, offerKey, showOffer, useOfferStage } from './current-offer.ts'
import { dashboardSeconds } from './dashboard-time.ts'

/*
 * When an offer opens by itself. It never surprises: until then, and after it was closed, it waits in the top
 * bar and on the dashboard.
 */

/** What decides whether an offer may open by itself now. */
export type Surroundings = {
  offer: Pick<Offer, 'setAside' | 'quietUntil' | 'newcomer'>
  /** By the server's clock, in milliseconds. */
  now: number
  /** Whether this tab has closed it, before the call reaches the server. */
  closedHere: boolean
  /** How long this browser has shown the dashboard. */
  dashboardSeconds: number
  hidden: boolean
  /** Whether the member is typing, or another dialog or menu is open. */
  occupied: boolean
  /** Milliseconds since the last press of a key or a button. */
  sincePress: number
  pointerInTheWay: boolean
}

/** Why an offer waits in the top bar, or null when it may open by itself. */
export function whyOfferWaits({ offer, now, ...here }: Surroundings) {
  if (offer.setAside || here.closedHere) return 'closed'
  if (offer.quietUntil !== null && now < Date.parse(offer.quietUntil)) return 'answered'
  if (offer.newcomer && here.dashboardSeconds < offerManners.dashboardSeconds) return 'newcomer'
  if (here.hidden) return 'hidden'
  if (here.occupied) return 'occupied'
  if (here.sincePress < restMs) return 'pressing'
  if (here.pointerInTheWay) return 'pointer'
  return null
}

/** How long the keys and buttons must rest before an offer opens. It then ignores presses for a moment. */
const restMs = 1_000
/** The size of its dialog with a margin, in CSS pixels. On phones it covers the window. */
const dialogSize = { width: 560, height: 784 }
const phoneWidth = 640

/** Opens the offer by itself as soon as nothing speaks against it. Looks twice a second. */
export function useOpenByItself(offer: Offer | null): void {
  const { open } = useOfferStage()
  const arrived = offer ? offerKey(offer) : null
  const look = useEffectEvent(() => {
    if (offer && !open && whyOfferWaits(surroundingsOf(offer)) === null) showOffer(offer, { byItself: true })
  })
  // The clock, the pointer and the tab's visibility are outside React.
  useEffect(() => {
    if (arrived === null) return undefined
    look()
    const timer = setInterval(() => look(), 500)
    return () => clearInterval(timer)
  }, [arrived])
}

function surroundingsOf(offer: Offer): Surroundings {
  const isPhone = innerWidth < phoneWidth
  return {
    offer,
    now: serverNow(),
    closedHere: readFromTab(closedKey) === offerKey(offer),
    dashboardSeconds: dashboardSeconds(),
    hidden: document.visibilityState === 'hidden',
    occupied: isOccupied(),
    sincePress: sincePress(),
    pointerInTheWay: isPointerInTheWay(isPhone ? { width: innerWidth, height: innerHeight } : dialogSize),
  }
}

const closedKey = 'closed-offer'

/** Keeps that an offer was closed in this tab, and hides it. */
export function closeHere(offer: Offer): void {
  keepInTab(closedKey, offerKey(offer))
  hideOffer()
}

/** Hides a dialog that opened by itself once the offer is closed in another tab or on another device. */
export function useCloseWithOthers(offer: Offer | null): void {
  const { open, byItself } = useOfferStage()
  const isClosed = offer?.setAside ?? false
  // The other tab is outside React.
  useEffect(() => {
    if (isClosed && open && byItself) hideOffer()
  }, [isClosed, open, byItself])
}

/** Whether the dialog has just opened by itself, so that a press at this moment was not meant for it. */
export function useOfferJustAppeared(): boolean {
  const { open, byItself } = useOfferStage()
  return useJustAppeared(open && byItself)
}
