import { productExposure } from '#contract/matching-rules.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { ProgressBar } from '#web/kit/ui/progress-bar.tsx'

/** How many of the reviews that the club allows a product has had, counted as the rule counts them. */
export function ExposureMeter({ exposure: { reviews, of } }: Pick<Product, 'exposure'>) {
  const days = productExposure.days
  return (
    <div className="rounded-10 border border-line bg-sunken px-3.5 py-2.5">
      <p className="flex items-baseline justify-between gap-4 text-13">
        <span className="text-ink-2">Club reviews in the last {days} days</span>
        <span className="tabular font-medium text-ink">
          {reviews} of {of}
        </span>
      </p>
      <ProgressBar
        value={of === 0 ? 0 : reviews / of}
        label={`Club reviews in the last ${days} days`}
        valueText={`${reviews} of ${of}`}
        tone={reviews >= of ? 'warning' : 'accent'}
        className="mt-2"
      />
      <p className="mt-1.5 text-12 text-pretty text-ink-3">
        {reviews >= of
          ? `That’s the limit. It keeps the club one voice among many.`
          : `More than ${of} would make the club the main voice about it, so that’s the limit.`}
      </p>
    </div>
  )
}
