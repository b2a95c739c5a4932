import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { purchaseHours, reviewHours } from '#contract/matching.ts'
import type { DeclineReason, Offer } from '#contract/matching.ts'
import { hours } from '#contract/format.ts'
import { api, client } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { useServerNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { TimeRing } from '#web/kit/ui/progress-ring.tsx'
import { dismissToast, toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import {
  clearOffer,
  isOccupied,
  offerKey,
  setOfferAside,
  showOffer,
  useCurrentOffer,
  useOfferStage,
} from './current-offer.ts'
import { DeclineReasons } from './decline-reasons.tsx'
import { dollars, eitherPrice } from './offer-labels.ts'
import { ProductImage } from '#web/products/product-image.tsx'

/**
 * Puts an offer before the member as it arrives, or leaves it in the top bar while they are in the middle of something.
 * Mounted once, for signed-in members. Closing it answers nothing: the offer then waits in the top bar.
 */
export function OfferDialog() {
  const { offer, loaded } = useCurrentOffer()
  const stage = useOfferStage()
  const title = useRef<HTMLParagraphElement>(null)
  const [busy, setBusy] = useState(false)
  const arrived = offer ? offerKey(offer) : null

  const present = useEffectEvent(() => {
    if (offer && !isOccupied()) showOffer(offer)
  })
  // Whether somebody is typing can only be asked of the page, at the moment of arrival.
  useEffect(() => {
    if (arrived) present()
  }, [arrived])
  // The next person to sign in here must not find this one's offer.
  useEffect(() => clearOffer, [])

  const shown = stage.offer
  return (
    <Dialog
      open={stage.open}
      onOpenChange={(open) => !open && setOfferAside()}
      busy={busy}
      size="md"
      title="You are asked for a review"
      description="Drawn for you by the rotation. Take it only if you can use the product and write honestly."
      aside={
        shown ? (
          <TimeRing
            start={shown.offeredAt}
            end={shown.expiresAt}
            label="Time left to answer"
            size={60}
            text={Date.parse(shown.expiresAt) - Date.parse(shown.offeredAt) > 3_600_000 ? 'hours' : 'clock'}
          />
        ) : null
      }
      // The words get the focus, so that a key pressed at this very moment answers nothing.
      initialFocus={title}
    >
      {shown ? (
        <OpenOffer
          key={offerKey(shown)}
          offer={shown}
          titleRef={title}
          stillOpen={!loaded || arrived === offerKey(shown)}
          onBusy={setBusy}
        />
      ) : null}
    </Dialog>
  )
}

type OpenOfferProps = {
  offer: Offer
  titleRef: RefObject<HTMLParagraphElement | null>
  /** Whether the server still waits for the answer, as far as is known here. */
  stillOpen: boolean
  onBusy: (busy: boolean) => void
}

function OpenOffer({ offer, titleRef, stillOpen, onBusy }: OpenOfferProps) {
  const [face, setFace] = useState<'offer' | 'reasons'>('offer')
  const [reason, setReason] = useState<DeclineReason | null>(null)
  const [agreed, setAgreed] = useState(false)
  const { accept, decline, busy, refusal, isOver } = useAnswers(offer, onBusy)
  useLeave({ offer, stillOpen, held: busy || isOver })

  const mustAgree = offer.consentNeeded !== null && !agreed
  return (
    <>
      <div className="flex flex-col gap-4">
        <Product offer={offer} titleRef={titleRef} brief={face === 'reasons'} />
        {face === 'offer' ? (
          <>
            <WhatIsAsked offer={offer} />
            {offer.consentNeeded ? (
              <Consent offer={offer} needed={offer.consentNeeded} agreed={agreed} onAgreed={setAgreed} />
            ) : null}
          </>
        ) : (
          <DeclineReasons value={reason} onValueChange={setReason} declinesToday={offer.declinesToday} />
        )}
      </div>
      <DialogFooter>
        {/* Beside its button, so that it is in sight however far the rest has scrolled. */}
        {refusal ? (
          <Alert tone="danger" className="basis-full">
            {refusal}
          </Alert>
        ) : null}
        {isOver ? (
          <Button onClick={setOfferAside}>Close</Button>
        ) : face === 'offer' ? (
          <>
            <Button onClick={() => setFace('reasons')} disabled={busy}>
              Decline
            </Button>
            <Button
              variant="primary"
              busy={busy}
              busyLabel="Accepting..."
              disabledReason={mustAgree && 'Read the notice above and tick the box first.'}
              onClick={() => accept.mutate()}
            >
              Accept
            </Button>
          </>
        ) : (
          <>
            <Button variant="ghost" onClick={() => setFace('offer')} disabled={busy}>
              Back
            </Button>
            <Button
              variant="danger"
              busy={busy}
              busyLabel="Declining..."
              onClick={() => decline.mutate(reason)}
            >
              Confirm Decline
            </Button>
          </>
        )}
      </DialogFooter>
    </>
  )
}

/** These refusals end the offer; after any other it can still be answered. */
const endings = new Set(['OFFER_EXPIRED', 'OFFER_ANSWERED', 'OFFER_WITHDRAWN', 'NOT_FOUND'])

function useAnswers(offer: Offer, onBusy: (busy: boolean) => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { queueId, consentNeeded } = offer

  function afterAnswer() {
    queries.setQueryData(api.matching.findCurrentOffer.queryKey(), null)
    setOfferAside()
    for (const room of [api.matching.key(), api.reviews.key()])
      void queries.invalidateQueries({ queryKey: room })
  }

  const accept = useMutation({
    mutationFn: async () => {
      if (consentNeeded) {
        const { marketplaceId, policyVersion } = consentNeeded
        await client.products.consentToMarketplace({ id: marketplaceId, policyVersion })
      }
      return client.matching.respondToOffer({ queueId, accept: true })
    },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ message, reviewId }) => {
      afterAnswer()
      const said = toast({
        title: 'Review Accepted',
        description: message || "You'll receive the coupon link shortly.",
        tone: 'success',
        action: {
          label: 'Open the review',
          onClick: () => {
            dismissToast(said)
            void navigate({ href: reviewId ? paths.review(reviewId) : paths.reviews() })
          },
        },
      })
    },
  })
  const decline = useMutation({
    mutationFn: (reason: DeclineReason | null) =>
      client.matching.respondToOffer({ queueId, accept: false, ...(reason ? { reason } : {}) }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ message }) => {
      afterAnswer()
      toast({ title: 'Declined', description: message || "You've declined this review." })
    },
  })

  const busy = accept.isPending || decline.isPending
  const latest = accept.submittedAt > decline.submittedAt ? accept : decline
  const otherwise =
    latest === accept
      ? 'Failed to accept review. Please try again.'
      : 'Failed to decline review. Please try again.'
  return {
    accept,
    decline,
    busy,
    refusal: latest.isError ? refusalMessage(latest.error, otherwise) : null,
    isOver: latest.isError && endings.has(refusalCode(latest.error) ?? ''),
  }
}

/** Closes the dialog, and says why, when the time is up or the offer was answered or withdrawn elsewhere. */
function useLeave({ offer, stillOpen, held }: { offer: Offer; stillOpen: boolean; held: boolean }) {
  const queries = useQueryClient()
  const { open } = useOfferStage()
  const expired = useServerNow() >= Date.parse(offer.expiresAt)

  const leave = useEffectEvent(() => {
    setOfferAside()
    toast(
      expired
        ? {
            title: 'The offer has expired',
            description: 'It goes to another member. Letting an offer pass is not a decline.',
          }
        : {
            title: 'The offer is no longer open',
            description: 'It was answered in another window, or withdrawn.',
          },
    )
    void queries.invalidateQueries({ queryKey: api.matching.findCurrentOffer.key() })
  })
  // Time running out, or news from the server, is nobody's press: only an effect can answer it.
  useEffect(() => {
    if (open && !held && (expired || !stillOpen)) leave()
  }, [open, held, expired, stillOpen])
}

function Product({
  offer,
  titleRef,
  brief,
}: {
  offer: Offer
  titleRef: OpenOfferProps['titleRef']
  brief: boolean
}) {
  return (
    <div>
      <div className="flex items-center gap-4">
        <ProductImage
          imageId={offer.productImage}
          category={offer.category}
          sizes="160px"
          eager
          className={
            brief
              ? 'h-14 w-20 shrink-0 rounded-8 border border-line'
              : 'h-24 w-32 shrink-0 rounded-10 border border-line sm:h-28 sm:w-40'
          }
        />
        <div className="min-w-0 flex-1">
          <p
            ref={titleRef}
            tabIndex={-1}
            className="text-16 font-semibold text-balance wrap-anywhere text-ink"
          >
            {offer.productTitle}
          </p>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-ink-2">
            <CategoryBadge category={offer.category} />
            <span>
              {offer.marketplaceName}
              {offer.priceCents === null ? '' : ` · ${dollars(offer.priceCents)} without the coupon`}
            </span>
          </p>
        </div>
      </div>
      {brief ? null : <Description text={offer.productDescription} />}
    </div>
  )
}

const shortDescription = 150

function Description({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false)
  const words = text?.trim()
  if (!words) return <p className="mt-3 text-14 text-ink-3">No description provided</p>
  const isLong = words.length > shortDescription
  return (
    <div className="mt-3 text-14 text-pretty wrap-anywhere whitespace-pre-line text-ink-2">
      {isLong && !whole ? shortened(words) : words}{' '}
      {isLong ? (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="rounded-4 py-0.5 font-medium text-accent-ink underline decoration-accent-line underline-offset-3 hover:decoration-current"
        >
          {whole ? 'Show less' : 'Show more'}
        </button>
      ) : null}
    </div>
  )
}

/** The beginning as one paragraph; what is left out shows as an ellipsis. */
function shortened(text: string): string {
  const beginning = text.slice(0, shortDescription).replace(/\s+/g, ' ')
  return `${beginning.replace(/[\s.,;:!?]+$/, '')}…`
}

function WhatIsAsked({ offer }: { offer: Offer }) {
  const isPublic = offer.lane === 'public'
  return (
    <section aria-label="What is asked" className="rounded-10 border border-line bg-sunken px-4 py-3.5">
      <h3 className="text-13 font-semibold text-ink">What is asked</h3>
      <dl className="mt-2 grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-2 text-14">
        <dt className="text-ink-3">Buy</dt>
        <dd className="text-ink">
          with the coupon, for {eitherPrice(offer.couponPrices)}, within {hours(purchaseHours)}
        </dd>
        <dt className="text-ink-3">Review</dt>
        <dd className="text-ink">
          use it and write what you think, within {hours(reviewHours)} in all
          {isPublic ? '' : '. It goes to the seller alone and is posted nowhere'}
        </dd>
        {isPublic ? (
          <>
            <dt className="text-ink-3">Disclose</dt>
            <dd className="text-ink">
              your review begins with: <q className="text-ink-2 italic">{offer.disclosure}</q>
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

type ConsentProps = {
  offer: Offer
  needed: NonNullable<Offer['consentNeeded']>
  agreed: boolean
  onAgreed: (agreed: boolean) => void
}

function Consent({ offer, needed, agreed, onAgreed }: ConsentProps) {
  return (
    <Alert tone="warning" title={`What ${offer.marketplaceName} says`}>
      <p>
        <q>{needed.policySentence}</q>{' '}
        <TextLink href={needed.policyUrl} external>
          Read its policy
        </TextLink>
      </p>
      <p className="mt-1.5">
        Its own terms apply to you. It may remove a review, or close a listing or an account. Evenhand does
        not hide that you are a member.
      </p>
      <div className="mt-2.5">
        <Checkbox
          label="I have read this and want to take part."
          checked={agreed}
          onCheckedChange={onAgreed}
        />
      </div>
    </Alert>
  )
}
