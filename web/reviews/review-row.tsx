import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewRow } from '#contract/reviews.ts'
import { formatDate, formatUntil, useServerNow } from '#web/kit/time.ts'
import { Link } from '#web/kit/ui/link.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { ProductImage } from '#web/products/product-image.tsx'
import { confirmedAt } from '#web/products/exchange-path.tsx'
import { isWithoutFault, ReviewTag } from './review-tag.tsx'

type ReviewRowProps = { review: ReviewRow; href: string; side: 'mine' | 'received' }

/** One review in a list: its product, its status and the next step. The whole row is a link to it. */
export function ReviewListRow({ review, href, side }: ReviewRowProps) {
  const { productTitle, productImage, category, status, late, rating } = review
  return (
    <li
      className={
        'relative flex items-center gap-4 px-5 py-4 transition-colors hover:bg-canvas ' +
        'has-focus-visible:bg-canvas'
      }
    >
      <ProductImage
        imageId={productImage}
        category={category}
        sizes="48px"
        className="size-12 shrink-0 rounded-8 border border-line"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-x-6 gap-y-1.5 sm:flex-row sm:items-center">
        <div className="min-w-0 flex-1">
          <Link
            href={href}
            className={
              'line-clamp-2 text-14 font-medium wrap-anywhere text-ink after:absolute after:inset-0 ' +
              'focus-visible:outline-none focus-visible:after:rounded-8 focus-visible:after:outline-2 ' +
              'focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'
            }
          >
            {productTitle}
          </Link>
          <div className="mt-0.5 text-13 text-ink-2">{nextStep(review, side)}</div>
        </div>
        <div className="flex flex-wrap items-center gap-2 sm:justify-end">
          {rating === null ? null : <StarRating value={rating} showValue={false} />}
          <ReviewTag status={status} late={late} withoutFault={isWithoutFault(review)} />
        </div>
      </div>
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-ink-3" />
    </li>
  )
}

/** The next step and its deadline, for the reader's side of the review. */
function nextStep(
  {
    status,
    dueAt,
    verifiedAt,
    acceptedAt,
    partnerLeft,
    marketplaceClosed,
    endedByStaff,
    requestGoesOn,
    removal,
    held,
  }: ReviewRow,
  side: 'mine' | 'received',
): ReactNode {
  const isMine = side === 'mine'
  const keptPlace = requestGoesOn ? ' Your request kept its place.' : ''
  if (status === 'verified') return `Verified on ${formatDate(verifiedAt ?? acceptedAt)}`
  if (marketplaceClosed) return isMine ? 'The marketplace closed' : `The marketplace closed.${keptPlace}`
  if (partnerLeft) return isMine ? 'The seller left the club' : `The member left the club.${keptPlace}`
  if (endedByStaff) return isMine ? 'Ended by our staff' : `Ended by our staff.${keptPlace}`
  if (removal === 'reversed') return 'Removed, and the removal was reversed'
  if (removal === 'stands') return isMine ? 'It was removed' : `It was removed.${keptPlace}`
  if (held) return 'Our staff is looking at it'
  if (status === 'lapsed') return isMine ? 'The deadline was missed' : `Not written in time.${keptPlace}`
  return (
    <>
      <p className="text-pretty">{actions[side][status]}</p>
      {dueAt === null ? null : side === 'received' && status === 'reviewed' ? (
        <TimeToConfirm deadline={dueAt} />
      ) : (
        <TimeLeft to={dueAt} isMine={isMine} />
      )}
    </>
  )
}

function TimeToConfirm({ deadline }: { deadline: string }) {
  return <TimeLeft to={confirmedAt(deadline, useServerNow())} isMine />
}

/** `isMine`: the reader has to act before the time is up, so the last day is marked. */
function TimeLeft({ to, isMine }: { to: string; isMine: boolean }) {
  const now = useServerNow()
  const left = Date.parse(to) - now
  return (
    <p className={isMine && left < dayMs ? 'font-medium text-warning-ink' : 'text-ink-3'}>
      {left <= 0 ? 'The time is up' : <time dateTime={to}>{formatUntil(to, now)}</time>}
    </p>
  )
}

const dayMs = 86_400_000

const actions = {
  mine: {
    pending: 'Buy it and add your proof of purchase',
    purchased: 'Use it, then write and submit your review',
    reviewed: 'Waiting for the seller’s confirmation',
    returned: 'Returned: edit it, or stand by it',
  },
  received: {
    pending: 'A member is buying it',
    purchased: 'A member is using it and writing the review',
    reviewed: 'Check it and confirm',
    returned: 'The reviewer is fixing it',
  },
}
