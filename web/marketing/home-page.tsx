import {
  ArrowRight,
  BadgeCheck,
  EyeOff,
  MessageSquareQuote,
  Minus,
  Repeat2,
  Scale,
  Shuffle,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { ExchangePicture } from './pictures/exchange-picture.tsx'
import { fact } from './fact.ts'
import { LiveFigures } from './live-figures.tsx'
import { PageBand } from './frame/page-head.tsx'
import { PriceCard } from './price-card.tsx'
import { Questions } from './questions.tsx'
import { SectionHead } from './frame/section-head.tsx'
import { ConnectPicture, LedgerPicture, OfferPicture } from './pictures/step-pictures.tsx'
import { questions } from './texts.ts'

/** The front page. */
export function HomePage({ signedIn, demo, figures }: PageGiven) {
  return (
    <>
      <Hero signedIn={signedIn} />
      <Steps />
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
          <PriceCard signedIn={signedIn} demo={demo} />
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

function Hero({ signedIn }: { signedIn: boolean }) {
  return (
    <section className="mx-auto max-w-content px-5 pt-14 pb-20 sm:px-6 sm:pt-20 sm:pb-28">
      <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,37rem)_minmax(0,1fr)] lg:items-end">
        <h1 className="text-36 font-semibold text-ink sm:text-48">
          <span className="block">One honest review given.</span> <span className="block">One received.</span>
        </h1>
        <div>
          <p className="text-16 text-pretty text-ink-2 sm:text-18">
            Evenhand is a membership club for sellers of digital products. Members buy each other’s work with
            a coupon, use it, and say what they think. A random rotation decides who reviews whom, and a
            ledger keeps everyone even.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            {signedIn ? (
              <LinkButton href={paths.dashboard()} variant="primary" size="lg">
                Go to your dashboard
              </LinkButton>
            ) : (
              <LinkButton href={paths.signUp()} variant="primary" size="lg">
                Join for {fact('pricePerMonth')}
              </LinkButton>
            )}
            <LinkButton href={paths.howItWorks()} size="lg">
              How it works
            </LinkButton>
          </div>
        </div>
      </div>
      <div className="mt-12 sm:mt-16">
        <ExchangePicture />
      </div>
    </section>
  )
}

const steps = [
  {
    title: 'Connect a product',
    picture: <ConnectPicture />,
    text:
      `Add a product with a coupon link that brings the price to ${fact('couponPrices')}. Your ` +
      'files stay where you sell them.',
  },
  {
    title: 'Give when you are drawn',
    picture: <OfferPicture />,
    text:
      'The rotation offers you a product. Decline, or accept it: buy it with the coupon, use it, ' +
      `and submit an honest review within ${fact('reviewTime')}.`,
  },
  {
    title: 'Receive one in return',
    picture: <LedgerPicture />,
    text:
      'A different member is drawn for your product, so reviews are never traded back and forth. ' +
      'A verified review counts as one given for its writer and one received for you.',
  },
]

function Steps() {
  return (
    <PageBand id="features" className="border-t border-line py-20 sm:py-28">
      <SectionHead title="How it works" lead="Three steps. Repeat them whenever you want another review." />
      <ol className="mt-12 grid grid-cols-1 gap-x-6 gap-y-12 md:grid-cols-3">
        {steps.map(({ title, picture, text }, index) => (
          <li key={title}>
            {picture}
            <h3 className="mt-5 flex items-baseline gap-2.5 text-18 font-semibold text-ink">
              <span className="tabular text-accent-ink">{index + 1}</span>
              {title}
            </h3>
            <p className="mt-2 text-16 text-pretty text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
    </PageBand>
  )
}

const reasons = [
  {
    icon: <EyeOff />,
    title: 'Stars change nothing',
    text:
      'The draw, the queue, the ledger and the deadlines never look at a rating. You see the ' +
      'rating of your product together with the review, once it’s final.',
  },
  {
    icon: <Shuffle />,
    title: 'Random, by published rules',
    text:
      'Members don’t choose whom they review, and neither do we. The rules page lists every ' +
      'weight and limit of the draw.',
  },
  {
    icon: <BadgeCheck />,
    title: 'Bought, then used',
    text: 'Reviewers submit a review only with proof of purchase and after a minimum time using the product.',
  },
  {
    icon: <MessageSquareQuote />,
    title: 'Disclosed every time',
    text:
      'Every posted review must open by saying that it comes from an exchange and a discount. ' +
      'Without that, it can’t be submitted.',
  },
  {
    icon: <Repeat2 />,
    title: 'Never a swap',
    text:
      'Sellers and reviewers can’t message each other, and two members who just exchanged a ' +
      'review aren’t matched again for a while.',
  },
  {
    icon: <Scale />,
    title: 'Even to the last entry',
    text:
      'Each verified review adds one for its writer and takes one from its receiver. Across all ' +
      'members, the ledger always adds up to zero.',
  },
]

const notPromised = [
  'A kind review. Members write what they think, and a low opinion is no reason to send a review back.',
  'A secret. Every posted review must open by saying that it came from an exchange.',
  'A way around the marketplace. Where posting exchanged reviews isn’t allowed, they stay private feedback.',
]

function Reasons() {
  return (
    <PageBand className="border-t border-line bg-surface py-20 sm:py-28">
      <SectionHead
        title="Why readers can trust it"
        lead={
          'A review is only worth something if its readers can rely on it. So every rule here ' +
          'protects them first.'
        }
      />
      <ul className="mt-12 grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {reasons.map(({ icon, title, text }) => (
          <Reason key={title} icon={icon} title={title}>
            {text}
          </Reason>
        ))}
      </ul>
      <div
        className={cx(
          'mt-16 grid gap-x-16 gap-y-6 rounded-12 border border-line bg-canvas',
          'p-6 sm:p-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]',
        )}
      >
        <div>
          <h3 className="text-18 font-semibold text-ink">What membership doesn’t buy</h3>
          <a
            href={paths.rules()}
            className={cx(
              'group mt-3 inline-flex items-center gap-1.5 rounded-4 text-14 font-medium',
              'text-accent-ink hover:underline hover:underline-offset-3',
            )}
          >
            Read all the rules
            <ArrowRight
              size={15}
              aria-hidden="true"
              className="transition-transform group-hover:translate-x-0.5"
            />
          </a>
        </div>
        <ul className="space-y-3 text-16 text-ink-2">
          {notPromised.map((each) => (
            <li key={each} className="flex gap-3">
              <Minus size={16} aria-hidden="true" className="mt-1 shrink-0 text-ink-3" />
              <span className="text-pretty">{each}</span>
            </li>
          ))}
        </ul>
      </div>
    </PageBand>
  )
}

function Reason({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li>
      <span aria-hidden="true" className="flex text-accent-ink [&_svg]:size-5">
        {icon}
      </span>
      <h3 className="mt-3 text-16 font-semibold text-ink">{title}</h3>
      <p className="mt-1.5 text-16 text-pretty text-ink-2">{children}</p>
    </li>
  )
}
