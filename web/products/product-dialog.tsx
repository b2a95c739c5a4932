import { BadgeCheck, ExternalLink } from 'lucide-react'
import { useRef } from 'react'
import type { Ref } from 'react'
import type { ProductCard as Product } from '#contract/products.ts'
import { formatMoney } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { AlertButton, canAddAlert } from './asking/ask-alert.tsx'
import { Description } from './description.tsx'
import { ExposureMeter } from './exposure-meter.tsx'
import { Price } from './price.tsx'
import { counted } from './product-card.tsx'
import { isWithdrawable } from './product-actions.ts'
import { listingHref } from './listing-href.ts'
import { ProductImage } from './product-image.tsx'
import { ProductTags } from './product-tags.tsx'
import type { ProductView } from './product-menu.tsx'
import {
  isReviewed,
  isWaiting,
  RequestButton,
  useAskForReview,
  useQueueLabel,
  whyNot,
} from './request-button.tsx'

type ProductDialogProps = {
  product: Product
  open: boolean
  onClose: () => void
  onOpen: (view: ProductView) => void
}

/** All details of a product, with its request. */
export function ProductDialog({ product, open, onClose, onOpen }: ProductDialogProps) {
  const first = useRef<HTMLAnchorElement>(null)
  return (
    <Dialog
      open={open}
      initialFocus={first}
      onOpenChange={(next) => !next && onClose()}
      size="lg"
      title={<span className="wrap-anywhere">{product.title}</span>}
    >
      <Details product={product} onOpen={onOpen} first={first} />
    </Dialog>
  )
}

type DetailsProps = Pick<ProductDialogProps, 'product' | 'onOpen'> & { first: Ref<HTMLAnchorElement> }

function Details({ product, onOpen, first }: DetailsProps) {
  const { ask, asking } = useAskForReview(product)
  const reviewed = isReviewed(product)
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ProductImage
          imageId={product.imageId}
          focus={product.imageFocus}
          category={product.category}
          sizes="(width < 40rem) 100vw, 240px"
          className="aspect-4/3 w-full rounded-10 border border-line"
        />
        <div className="flex min-w-0 flex-col gap-3">
          <div className="flex items-start justify-between gap-4">
            <div className="flex min-w-0 flex-wrap items-center gap-1.5">
              <CategoryBadge category={product.category} />
              {product.verified ? (
                <Badge tone="success" icon={<BadgeCheck aria-hidden="true" />}>
                  Verified
                </Badge>
              ) : null}
              {product.archived ? <StatusBadge status="archived" /> : null}
            </div>
            <p className="shrink-0 text-18 leading-5.5 font-semibold text-ink">
              <Price cents={product.priceCents} />
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-ink-2">
            {product.rating === null ? (
              <span>No rating yet</span>
            ) : (
              <StarRating value={product.rating} count={product.reviews} />
            )}
            <span>{counted(product.downloads, 'download')}</span>
            <span>{counted(product.views, 'view')}</span>
          </div>
          <Description text={product.description} />
          <ProductTags tags={product.tags} />
          <div className="text-13 text-ink-3">
            <p>Connected via {product.marketplaceName} coupon</p>
            {product.couponCents === null ? null : <p>{formatMoney(product.couponCents)} with the coupon</p>}
          </div>
        </div>
      </div>
      <ExposureMeter exposure={product.exposure} />
      <QueueLine product={product} onOpen={onOpen} />
      {reviewed && product.askRefusal ? (
        <p className="text-13 text-ink-2">{whyNot(product.askRefusal)}</p>
      ) : null}
      <DialogFooter>
        <LinkButton
          ref={first}
          external
          href={listingHref(product.couponLink)}
          trailingIcon={<ExternalLink aria-hidden="true" />}
        >
          View on marketplace
        </LinkButton>
        <RequestButton product={product} />
        {reviewed && canAddAlert(product) ? <AlertButton product={product} /> : null}
        {reviewed && !canAddAlert(product) ? (
          <Button
            variant="primary"
            busy={asking}
            disabledReason={product.askRefusal && whyNot(product.askRefusal)}
            onClick={ask}
          >
            Get Reviewed again
          </Button>
        ) : null}
      </DialogFooter>
    </div>
  )
}

/** The state of an open request as text, with a button to withdraw it. */
function QueueLine({ product, onOpen }: Pick<ProductDialogProps, 'product' | 'onOpen'>) {
  const queueLabel = useQueueLabel(product)
  if (!isWithdrawable(product)) return null
  const text =
    product.request?.status === 'queued'
      ? queueLabel
      : product.request?.status === 'held'
        ? 'Your request is on hold and keeps its place.'
        : 'We’ve asked a member, who hasn’t answered yet.'
  return (
    <div
      className={
        'flex flex-wrap items-center justify-between gap-2 ' +
        'rounded-10 border border-line bg-sunken py-2 pr-2 pl-3.5 text-13 text-ink-2'
      }
    >
      <p aria-live="polite">{text}</p>
      <div className="flex flex-wrap gap-1">
        {isWaiting(product) ? (
          <Button size="sm" variant="ghost" onClick={() => onOpen('waiting')}>
            Why am I waiting?
          </Button>
        ) : null}
        <Button size="sm" variant="ghost" onClick={() => onOpen('withdraw')}>
          Withdraw request
        </Button>
      </div>
    </div>
  )
}
