import type { PageGiven } from '#contract/pages.ts'
import type { Claim } from './claims.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { fact } from './fact.ts'
import { PageBand } from './frame/page-head.tsx'
import { PriceCard } from './price-card.tsx'
import { Questions } from './questions.tsx'
import { SectionHead } from './frame/section-head.tsx'
import { pricingQuestions } from './texts.ts'

const terms: (Claim & { name: string })[] = [
  {
    name: 'Price',
    text: `${fact('pricePerMonth')}, paid in advance. Taxes required by law are shown before you pay.`,
    needs: 'payments',
  },
  { name: 'Renewal', text: 'Every month until you cancel.', needs: 'payments' },
  {
    name: 'Canceling',
    text: 'Anytime, in two clicks. Your membership runs to the end of the month you’ve paid for.',
    needs: 'payments',
  },
  {
    name: 'Refund',
    text: `Ask within ${fact('refundTime')} and get your first payment back, whatever your reason.`,
    needs: 'payments',
  },
  {
    name: 'Pausing',
    text: `Up to ${fact('pauseLongest')}. You get no offers. Reviews you’ve accepted keep their deadlines.`,
    needs: 'payments',
  },
  {
    name: 'Purchases',
    text: `You pay the coupon price of what you review, ${fact('couponPrices')}, on the marketplace.`,
  },
]

/** The membership: what it costs, what it includes, and how to leave. */
export function PricingPage({ signedIn, demo, payments }: PageGiven) {
  const shown = terms.filter(({ needs }) => needs === undefined || payments !== 'closed')
  return (
    <>
      <div
        className={cx(
          'mx-auto grid max-w-content gap-x-20 gap-y-12 px-5 pt-14',
          'pb-20 sm:px-6 sm:pt-20 sm:pb-28 lg:grid-cols-2',
        )}
      >
        <div>
          <h1 className="text-36 font-semibold text-ink sm:text-48">One plan for everyone</h1>
          <p className="mt-4 max-w-[44ch] text-18 text-pretty text-ink-2">
            A flat membership. What you receive depends on what you give, never on what you pay.
          </p>
          <dl className="mt-10 border-t border-line">
            {shown.map(({ name, text }) => (
              <div
                key={name}
                className="grid gap-x-6 gap-y-0.5 border-b border-line py-3.5 sm:grid-cols-[7rem_1fr]"
              >
                <dt className="text-14 font-medium text-ink sm:leading-6">{name}</dt>
                <dd className="text-16 text-pretty text-ink-2">{text}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <PriceCard level={2} signedIn={signedIn} demo={demo} payments={payments} />
        </div>
      </div>
      <PageBand className="border-t border-line py-20 sm:py-28">
        <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-20">
          <SectionHead title="About the membership" />
          <Questions questions={pricingQuestions} />
        </div>
      </PageBand>
    </>
  )
}
