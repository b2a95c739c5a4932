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
import { cx } from '#web/kit/ui/cx.ts'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { SectionHead } from '#web/marketing/frame/section-head.tsx'
import { paths } from '#web/paths.ts'

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

/** Why readers can trust the reviews, and what membership does not buy. */
export function Reasons() {
  return (
    <PageBand className="border-t border-line py-20 sm:py-28">
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
          'mt-16 grid gap-x-16 gap-y-6 rounded-12 border border-line bg-surface',
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
