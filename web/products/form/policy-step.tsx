import { useLayoutEffect } from 'react'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { MarketplaceNotice } from '../marketplace-notice.tsx'
import { findMarketplace } from './product-checks.ts'
import type { ProductFieldsProps } from './product-fields.tsx'

type PolicyStepProps = Pick<ProductFieldsProps, 'form' | 'marketplaces'> & {
  onShown: (isShown: boolean) => void
}

/** What the marketplace says about exchanged reviews, and the consent, before its first product. */
export function PolicyStep({ form, marketplaces, onShown }: PolicyStepProps) {
  const marketplace = findMarketplace(form.values.couponLink, marketplaces)
  // Before the next press can arrive. The dialog around the form is closed and opened by others.
  useLayoutEffect(() => {
    onShown(true)
    return () => onShown(false)
  }, [onShown])
  if (!marketplace) return null
  return (
    <section aria-labelledby="marketplace-notice">
      <h3
        id="marketplace-notice"
        tabIndex={-1}
        // The button that had the focus is no longer on the page, so the focus moves to this heading.
        ref={focusOnce}
        className="mb-3 text-16 font-semibold text-ink"
      >
        Before you connect a product on {marketplace.name}
      </h3>
      <MarketplaceNotice marketplace={marketplace} />
      <div className="mt-5 rounded-10 border border-line bg-sunken px-3.5 py-3">
        <Checkbox
          name="consent"
          label={`I have read what ${marketplace.name} says about exchanged reviews`}
          help="We ask once, and again only when the policy changes."
        />
      </div>
    </section>
  )
}

function focusOnce(heading: HTMLElement | null) {
  heading?.focus()
}
