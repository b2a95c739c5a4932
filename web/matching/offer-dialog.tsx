import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import type { Offer } from '#contract/matching.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { formatNames } from '#contract/products.ts'
import { hours } from '#contract/format.ts'
import { api, client } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatMoney, formatUntil, useServerNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { TimeRing } from '#web/kit/ui/progress-ring.tsx'
import { dismissToast, toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { PolicyLink } from '#web/products/marketplace-notice.tsx'
import {
  clearOffer,
  hasUnsavedForm,
  hideOffer,
  offerKey,
  useCurrentOffer,
  useOfferStage,
} from './current-offer.ts'
import { DeclineReasons } from './decline-reasons.tsx'
import { eitherPrice } from './offer-labels.ts'
import { closeHere, useCloseWithOthers, useOfferJustAppeared, useOpenByItself } from './offer-manners.ts'
import { WhyOffered } from './why-offered.tsx'
import { Description } from '#web/products/description.tsx'
import { HowDrawn } from '#web/products/exchange-path.tsx'
import { ProductImage } from '#web/products/product-image.tsx'

/**
 * Shows an offer when it arrives, or leaves it in the top bar while that would disturb the member. Mounted
 * once, for signed-in members. Closing the dialog does not answer the offer, which then stays in the top bar.
 */
export function OfferDialog() {
  const { offer, loaded } = useCurrentOffer()
  const stage = useOfferStage()
  const title = useRef<HTMLParagraphElement>(null)
  const [busy, setBusy] = useState(false)
  const arrived = offer ? offerKey(offer) : null
  const justAppeared = useOfferJustAppeared()
  useOpenByItself(offer)
  useCloseWithOthers(offer)
  // The next person to sign in here must not see this member's offer.
  useEffect(() => clearOffer, [])

  const shown = stage.offer
  return (
    <Dialog
      open={stage.open}
      onOpenChange={(open) => !open && shown && setAside(shown)}
      busy={busy}
      ignoresInput={justAppeared}
      size="md"
      title="You’ve been asked for a review"
      description="You were drawn at random. Accept only if you can use the product and review it honestly."
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
      // The title gets the focus, so that a key pressed at this moment does not answer the offer.
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

/** Closes the offer without an answer: here at once, and on the server for every other tab and device. */
function setAside(offer: Offer): void {
  closeHere(offer)
  // If this fails, the tab still keeps the offer closed, and closing it again repeats the call.
  client.matching
    .setOfferAside({ queueId: offer.queueId }, { context: { keepalive: true } })
    .catch(() => undefined)
}

type OpenOfferProps = {
  offer: Offer
  titleRef: RefObject<HTMLParagraphElement | null>
  /** Whether the offer is still open on the server, as far as the page knows. */
  stillOpen: boolean
  onBusy: (busy: boolean) => void
}

function OpenOffer({ offer, titleRef, stillOpen, onBusy }: OpenOfferProps) {
  const [view, setView] = useState<'offer' | 'reasons'>('offer')
  const [reason, setReason] = useState<DeclineReason | null>(null)
  const [agreed, setAgreed] = useState(false)
  const { accept, decline, busy, refusal, isOver } = useAnswers(offer, onBusy)
  useLeave({ offer, stillOpen, held: busy || isOver })

  const mustAgree = offer.consentNeeded !== null && !agreed
  return (
    <>
      <div className="flex flex-col gap-4">
        <Product offer={offer} titleRef={titleRef} brief={view === 'reasons'} />
        {view === 'offer' ? (
          <>
            {offer.consentNeeded ? <Policy offer={offer} needed={offer.consentNeeded} /> : null}
            <Tasks offer={offer} />
            <WhyOffered id={offer.queueId} />
            <HowDrawn request={offer.queueId} className="w-fit" />
          </>
        ) : (
          <DeclineReasons
            value={reason}
            onValueChange={setReason}
            declinesToday={offer.declinesToday}
            freeDeclinesToday={offer.freeDeclinesToday}
            refusals={offer.refusals}
          />
        )}
      </div>
      <DialogFooter>
        {/* Next to the buttons, so that it is visible when the content is scrolled. */}
        {refusal ? (
          <Alert tone="danger" className="basis-full">
            {refusal}
          </Alert>
        ) : null}
        {isOver ? (
          <Button onClick={hideOffer}>Close</Button>
        ) : view === 'offer' ? (
          <>
            {offer.consentNeeded ? (
              <div className="min-w-0 flex-1 max-sm:basis-full">
                <Checkbox
                  label="I have read the notice and want to take part."
                  help="Tick this to accept."
                  checked={agreed}
                  onCheckedChange={setAgreed}
                />
              </div>
            ) : null}
            <Button onClick={() => setView('reasons')} disabled={busy}>
              Decline
            </Button>
            <Button
              variant="primary"
              busy={busy}
              busyLabel="Accepting..."
              disabledReason={mustAgree && 'Read the notice and tick the box to accept.'}
              onClick={() => accept.mutate()}
            >
              Accept
            </Button>
          </>
        ) : (
          <>
            <Button variant="ghost" onClick={() => setView('offer')} disabled={busy}>
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

/** These refusals are final. After any other the offer can still be answered. */
const endings = new Set(['OFFER_EXPIRED', 'OFFER_ANSWERED', 'OFFER_WITHDRAWN', 'NOT_FOUND'])

function useAnswers(offer: Offer, onBusy: (busy: boolean) => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { queueId, consentNeeded } = offer

  function afterAnswer() {
    queries.setQueryData(api.matching.findCurrentOffer.queryKey(), null)
    hideOffer()
    for (const queryKey of [api.matching.key(), api.reviews.key()])
      void queries.invalidateQueries({ queryKey })
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
      const open = () => void navigate({ href: reviewId ? paths.review(reviewId) : paths.reviews() })
      const accepted = {
        title: 'Review Accepted',
        description: message || "You'll receive the coupon link shortly.",
        tone: 'success',
      } as const
      afterAnswer()
      if (!hasUnsavedForm()) {
        toast(accepted)
        return open()
      }
      // A form below with unsaved changes would be lost, so the member chooses when to leave it.
      const openReview = () => {
        dismissToast(id)
        open()
      }
      const id = toast({ ...accepted, action: { label: 'Open the review', onClick: openReview } })
    },
  })
  const decline = useMutation({
    mutationFn: (reason: DeclineReason | null) =>
      client.matching.respondToOffer({ queueId, accept: false, ...(reason ? { reason } : {}) }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ message, offersAgainAt }) => {
      afterAnswer()
      const said = message || "You've declined this review."
      const next = offersAgainAt ? ` No new offers ${formatUntil(offersAgainAt)}.` : ''
      toast({ title: 'Declined', description: `${said}${next}` })
    },
  })

  const busy = accept.isPending || decline.isPending
  const latest = accept.submittedAt > decline.submittedAt ? accept : decline
  const fallback =
    latest === accept
      ? 'Failed to accept review. Please try again.'
      : 'Failed to decline review. Please try again.'
  return {
    accept,
    decline,
    busy,
    refusal: latest.isError ? refusalMessage(latest.error, fallback) : null,
    isOver: latest.isError && endings.has(refusalCode(latest.error) ?? ''),
  }
}

/** Closes the dialog and shows why, when the offer has expired or was answered or withdrawn elsewhere. */
function useLeave({ offer, stillOpen, held }: { offer: Offer; stillOpen: boolean; held: boolean }) {
  const queries = useQueryClient()
  const { open } = useOfferStage()
  const expired = useServerNow() >= Date.parse(offer.expiresAt)

  const leave = useEffectEvent(() => {
    hideOffer()
    toast(
      expired
        ? {
            title: 'The offer has expired',
            description: 'We’ll ask another member. Letting an offer expire is not a decline.',
          }
        : {
            title: 'The offer is no longer open',
            description: 'You answered it in another window, or it was withdrawn.',
          },
    )
    void queries.invalidateQueries({ queryKey: api.matching.findCurrentOffer.key() })
  })
  // An effect, because neither the clock nor a change on the server is an event of the page.
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
          focus={offer.imageFocus}
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
            {offer.format ? <span>{formatNames[offer.format]} ·</span> : null}
            <span>
              {offer.marketplaceName}
              {offer.priceCents === null ? '' : ` · ${formatMoney(offer.priceCents)} without the coupon`}
            </span>
          </p>
        </div>
      </div>
      {brief ? null : (
        <div className="mt-3">
          <Description text={offer.productDescription} />
        </div>
      )}
    </div>
  )
}

function Until({ end }: { end: string }) {
  return <time dateTime={end}>{formatUntil(end, useServerNow())}</time>
}

function Tasks({ offer }: { offer: Offer }) {
  const isPublic = offer.lane === 'public'
  return (
    <section aria-label="What you do" className="rounded-10 border border-line bg-sunken px-4 py-3.5">
      <h3 className="text-13 font-semibold text-ink">What you do</h3>
      <dl className="mt-2 grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-2 text-14">
        <dt className="text-ink-3">Answer</dt>
        <dd className="text-ink">
          <Until end={offer.expiresAt} />
        </dd>
        <dt className="text-ink-3">Buy</dt>
        <dd className="text-ink">
          with the coupon, for{' '}
          {eitherPrice(offer.couponCents === null ? offer.couponPrices : [offer.couponCents])}, within{' '}
          {hours(purchaseHours)}
        </dd>
        <dt className="text-ink-3">Review</dt>
        <dd className="text-ink">
          use it and submit an honest review, within {hours(reviewHours)} in total
          {isPublic ? '' : '. Only the seller sees it; it is not posted anywhere'}
        </dd>
        {isPublic ? (
          <>
            <dt className="text-ink-3">Disclose</dt>
            <dd className="text-ink">
              your review begins with <q className="text-ink-2 italic">{offer.disclosure}</q>
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

function Policy({ offer, needed }: { offer: Offer; needed: NonNullable<Offer['consentNeeded']> }) {
  return (
    <Alert tone="warning" title={`What ${offer.marketplaceName} says`}>
      <p>
        <q>{needed.policySentence}</q> <PolicyLink href={needed.policyUrl}>Read the policy</PolicyLink>
      </p>
      <p className="mt-1.5">
        The marketplace’s terms apply to you. It can remove a review, or close a listing or an account.
        Evenhand doesn’t hide that you are a member.
      </p>
    </Alert>
  )
}
