import { useRouter } from '@tanstack/react-router'
import { Check, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Offer } from '#contract/matching.ts'
import type { NextSteps } from '#contract/reviews.ts'
import { formatUntil, useServerNow } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { CooldownLine } from '#web/matching/cooldown-line.tsx'
import { showOffer, useCurrentOffer } from '#web/matching/current-offer.ts'
import { useOwnWait } from '#web/matching/own-wait.ts'
import { paths } from '#web/paths.ts'
import { useMyProducts } from '#web/products/my-products.ts'
import { ProductImage } from '#web/products/product-image.tsx'
import { RequestButton } from '#web/products/request-button.tsx'
import { useAddProduct } from '#web/products/use-add-product.tsx'
import { useNextSteps } from './next-steps.ts'
import { ReviewListRow } from './review-row.tsx'

/**
 * What waits for the member: the open offer, reviews to write and to confirm with their clocks, in the first
 * exchange the steps of it, and why no offer comes for now.
 */
export function NextStepsCard() {
  const query = useNextSteps()
  const { offer } = useCurrentOffer()
  return (
    <Card title="Next for you" aria-label="Next for you" padding="none">
      {query.data ? (
        <Steps steps={query.data} offer={offer} />
      ) : query.isError ? (
        <ErrorState
          level={3}
          title="Your next steps could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      ) : (
        <Waiting />
      )}
    </Card>
  )
}

function Steps({ steps, offer }: { steps: NextSteps; offer: Offer | null }) {
  const { toWrite, toConfirm, firstSteps } = steps
  const wait = useOwnWait()
  const isWaiting = offer !== null || toWrite.length > 0 || toConfirm.length > 0
  const isFirstRun = !(firstSteps.connected && firstSteps.asked && firstSteps.answered)
  return (
    <>
      {isWaiting ? (
        <ul aria-label="Waiting for you" className="divide-y divide-line">
          {offer ? <OfferRow offer={offer} /> : null}
          {toWrite.map((review) => (
            <ReviewListRow key={review.id} review={review} href={paths.review(review.id)} side="mine" />
          ))}
          {toConfirm.map((review) => (
            <ReviewListRow
              key={review.id}
              review={review}
              href={paths.receivedReview(review.id)}
              side="received"
            />
          ))}
        </ul>
      ) : null}
      {isFirstRun ? (
        <FirstSteps done={firstSteps} isBelow={isWaiting} />
      ) : isWaiting ? null : (
        <p className="flex items-start gap-3 px-5 py-5 text-14 text-pretty text-ink-2">
          <CircleCheck size={18} aria-hidden="true" className="mt-px shrink-0 text-success-ink" />
          <span>
            <span className="font-medium text-ink">You’re all caught up.</span>
            {wait ? null : ' When the rotation draws you, the offer appears here.'}
          </span>
        </p>
      )}
      <CooldownLine />
    </>
  )
}

function OfferRow({ offer }: { offer: Offer }) {
  const now = useServerNow()
  if (Date.parse(offer.expiresAt) <= now) return null
  return (
    <li className="flex items-center gap-4 bg-accent-soft px-5 py-4 max-sm:flex-wrap">
      <ProductImage
        imageId={offer.productImage}
        category={offer.category}
        sizes="48px"
        className="size-12 shrink-0 rounded-8 border border-line"
      />
      <div className="min-w-0 flex-1">
        <p className="text-14 font-semibold text-ink">You’ve been asked for a review</p>
        <p className="mt-0.5 line-clamp-2 text-13 wrap-anywhere text-ink-2">{offer.productTitle}</p>
        <p className="mt-0.5 text-13 text-ink-2">
          Answer <time dateTime={offer.expiresAt}>{formatUntil(offer.expiresAt, now)}</time>
        </p>
      </div>
      <Button variant="primary" onClick={() => showOffer(offer)} className="max-sm:w-full">
        See the offer
      </Button>
    </li>
  )
}

type FirstStepsProps = { done: NextSteps['firstSteps']; isBelow: boolean }

/** The three steps of the first exchange, with the button of the one to do now. */
function FirstSteps({ done, isBelow }: FirstStepsProps) {
  const router = useRouter()
  const { data: live = [] } = useMyProducts()
  const adding = useAddProduct(() => void router.navigate({ href: paths.assets() }))
  const [product] = live
  const steps = [
    {
      title: 'Connect a product',
      text: 'Paste the coupon link of one of your listings. Its files stay on the marketplace.',
      done: done.connected,
      action: (
        <Button
          variant={isBelow ? 'secondary' : 'primary'}
          aria-haspopup="dialog"
          onPointerEnter={adding.reach}
          onFocus={adding.reach}
          onClick={adding.show}
        >
          Connect a product
        </Button>
      ),
    },
    {
      title: 'Ask for a review',
      text: 'The rotation draws a member at random, so there are no direct trades.',
      done: done.asked,
      action: product ? <RequestButton product={product} /> : null,
    },
    {
      title: 'Answer an offer',
      text:
        'When you’re drawn, the offer appears here. You buy with the coupon, ' +
        'use it and write what you think.',
      done: done.answered,
      action: null,
    },
  ]
  const current = steps.findIndex((step) => !step.done)
  return (
    <div className={cx('px-5 py-5', isBelow && 'border-t border-line')}>
      {isBelow ? <h3 className="mb-4 text-13 font-semibold text-ink-2">Your first exchange</h3> : null}
      <ol aria-label="Your first exchange" className="flex flex-col gap-5">
        {steps.map((step, index) => (
          <FirstStep key={step.title} {...step} number={index + 1} isCurrent={index === current} />
        ))}
      </ol>
      {adding.dialog}
    </div>
  )
}

type FirstStepProps = {
  title: string
  text: string
  done: boolean
  action: ReactNode
  number: number
  isCurrent: boolean
}

function FirstStep({ title, text, done, action, number, isCurrent }: FirstStepProps) {
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="flex items-start gap-3">
      <span
        aria-hidden="true"
        className={cx(
          'tabular flex size-7 shrink-0 items-center justify-center ' +
            'rounded-full border text-13 font-semibold',
          done
            ? 'border-accent bg-accent text-on-accent'
            : isCurrent
              ? 'border-2 border-accent bg-surface text-accent-ink'
              : 'border-line-strong bg-surface text-ink-3',
        )}
      >
        {done ? <Check size={15} strokeWidth={3} /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-3 sm:flex-row sm:items-center">
        <div className="min-w-0 flex-1">
          <p className={cx('text-14 font-semibold', done ? 'text-ink-2' : 'text-ink')}>
            {title}
            {done ? <span className="sr-only">, done</span> : null}
          </p>
          {done ? null : <p className="mt-0.5 text-13 text-pretty text-ink-2">{text}</p>}
        </div>
        {isCurrent && action ? <div className="shrink-0">{action}</div> : null}
      </div>
    </li>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your next steps" className="divide-y divide-line">
      {['first', 'second'].map((row) => (
        <div key={row} className="flex items-center gap-4 px-5 py-4">
          <Skeleton className="size-12 rounded-8" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
