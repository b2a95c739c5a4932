import type { PageGiven } from '#contract/pages.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageBand } from './frame/page-head.tsx'
import { SectionHead } from './frame/section-head.tsx'
import { ExampleReview } from './front/example-review.tsx'
import { Hero } from './front/hero.tsx'
import { MarketplaceAnswer } from './front/marketplace-answer.tsx'
import { Reasons } from './front/reasons.tsx'
import { Steps } from './front/steps.tsx'
import { LiveFigures } from './live-figures.tsx'
import { PriceCard } from './price-card.tsx'
import { Questions } from './questions.tsx'
import { questions } from './texts.ts'

/** The front page. */
export function HomePage({ signedIn, demo, payments, figures, marketplaces }: PageGiven) {
  return (
    <>
      <Hero signedIn={signedIn} demo={demo} payments={payments} />
      <Steps />
      <ExampleReview />
      <MarketplaceAnswer marketplaces={marketplaces} demo={demo} />
      <Reasons />
      {figures ? <LiveFigures figures={figures} demo={demo} /> : null}
      <PageBand className="border-t border-line py-20 sm:py-28">
        <div className="grid gap-12 lg:grid-cols-2 lg:gap-20">
          <SectionHead
            title="One plan, one price"
            lead={
              'What you receive depends on what you give, never on what you pay. There’s nothing to ' +
              'upgrade to.'
            }
          />
          <PriceCard signedIn={signedIn} demo={demo} payments={payments} />
        </div>
      </PageBand>
      <PageBand id="faq" className="border-t border-line py-20 sm:py-28">
        <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-20">
          <div>
            <SectionHead title="Questions" />
            <p className="mt-3 text-16 text-ink-2">
              Anything else? Check the <TextLink href={paths.help()}>help pages</TextLink> or{' '}
              <TextLink href={paths.contact()}>write to us</TextLink>.
            </p>
          </div>
          <Questions questions={questions} />
        </div>
      </PageBand>
    </>
  )
}
