import { ExternalLink } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { listingHref } from '#web/products/listing-href.ts'

/** Buttons to open and to copy the coupon link. The server records the first use of either. */
export function CouponLink({ review, quiet = false }: { review: ReviewWorkspace; quiet?: boolean }) {
  const href = listingHref(review.couponLink)
  const opened = useMutation(api.reviews.openCoupon.mutationOptions())
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton
        href={href}
        external
        variant={quiet ? 'secondary' : 'primary'}
        size={quiet ? 'sm' : 'md'}
        trailingIcon={<ExternalLink aria-hidden="true" />}
        // Not awaited: the tab opens even when the server cannot record it.
        onClick={() => opened.mutate({ id: review.id })}
      >
        Open the coupon link
      </LinkButton>
      <CopyButton
        text={new URL(href, location.href).href}
        label={quiet ? 'Copy' : 'Copy coupon link'}
        aria-label={quiet ? 'Copy coupon link' : undefined}
        size={quiet ? 'sm' : 'md'}
        onCopied={() => opened.mutate({ id: review.id })}
      />
    </div>
  )
}
