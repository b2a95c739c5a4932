import { OfferIndicator as IndicatorButton } from '#web/kit/frames/frame.tsx'
import { clock, formatSoon, hoursAndMinutes, useTimeLeft } from '#web/kit/time.ts'
import { TimeRing } from '#web/kit/ui/progress-ring.tsx'
import type { Offer } from '#contract/matching.ts'
import { showOffer, useCurrentOffer, useOfferStage } from './current-offer.ts'

/** The top bar's button to the open offer, with the time left. Renders nothing without an offer. */
export function OfferIndicator() {
  const { offer } = useCurrentOffer()
  return offer ? <Waiting offer={offer} /> : null
}

function Waiting({ offer }: { offer: Offer }) {
  const { open } = useOfferStage()
  const left = useTimeLeft(offer.expiresAt, offer.offeredAt)
  if (open || left <= 0) return null
  return (
    <>
      <IndicatorButton
        onOpen={() => showOffer(offer)}
        timeLeft={
          <span className="flex items-center gap-1.5">
            <span className="flex max-[22rem]:hidden">
              <TimeRing
                start={offer.offeredAt}
                end={offer.expiresAt}
                label="Time left to answer"
                size={18}
                stroke={3}
                text="none"
              />
            </span>
            {left >= 3_600_000 ? hoursAndMinutes(left) : clock(left)}
          </span>
        }
      />
      {/* The dialog would be announced. An offer that waits here must be announced too. */}
      <output className="sr-only">
        You have a review offer until {formatSoon(offer.expiresAt)}. Open it from the top bar.
      </output>
    </>
  )
}
