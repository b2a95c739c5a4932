import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Category } from '#contract/products.ts'
import { BalanceMeter } from '#web/kit/ui/balance-meter.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { reviewSteps, Stepper } from '#web/kit/ui/stepper.tsx'

/** A picture of one exchange from both sides, made of the product's own parts. */
export function ExchangePicture() {
  return (
    <figure>
      <p className="sr-only">
        A picture of the product. On the left, a member writes a review of another member’s guide. It opens
        with the disclosure and says what’s good and what isn’t. On the right, a reviewer was drawn at random
        for the member’s own planner. Below is the balance: four reviews given, four received.
      </p>
      <div
        aria-hidden="true"
        className={cx(
          'forced-color-adjust-none overflow-hidden rounded-16 border border-line',
          'bg-surface text-14 leading-5 shadow-picture',
        )}
      >
        <div className="grid lg:grid-cols-2">
          <Side title="You give" badge={<StatusBadge status="purchased" />}>
            <ProductLine category="guide" title="Container Garden Calendar" by="Drawn for you" />
            <div className="mt-6">
              <Stepper label="" steps={reviewSteps} current={2} />
            </div>
            <Draft />
          </Side>
          <Side
            title="You receive"
            badge={<StatusBadge status="in_review" />}
            className="border-t border-line lg:border-t-0 lg:border-l"
          >
            <ProductLine category="template" title="Weekly Meal Planner" by="Your product" />
            <Draw />
          </Side>
        </div>
        <div className="border-t border-line bg-canvas px-5 py-5 sm:px-8">
          <div className="mx-auto max-w-xl">
            <BalanceMeter given={4} received={4} />
          </div>
        </div>
      </div>
      <figcaption className="mt-3 text-center text-13 text-ink-3">
        An example made with real parts of the product.
      </figcaption>
    </figure>
  )
}

type SideProps = { title: string; badge: ReactNode; className?: string; children: ReactNode }

function Side({ title, badge, className, children }: SideProps) {
  return (
    <div className={cx('flex min-w-0 flex-col px-5 pt-5 pb-6 sm:px-8 sm:pt-7 sm:pb-8', className)}>
      <div className="mb-5 flex items-center justify-between">
        <p className="text-13 font-semibold text-ink">{title}</p>
        {badge}
      </div>
      {children}
    </div>
  )
}

function ProductLine({ category, title, by }: { category: Category; title: string; by: string }) {
  return (
    <div className="flex items-center gap-4">
      <CategoryPlaceholder
        category={category}
        className="aspect-4/3 w-24 shrink-0 rounded-8 border border-line sm:w-28"
      />
      <div className="min-w-0">
        <CategoryBadge category={category} />
        <p className="mt-1.5 text-16 font-semibold text-ink">{title}</p>
        <p className="mt-0.5 text-13 text-ink-3">{by}</p>
      </div>
    </div>
  )
}

const checks = ['42 words', 'Disclosure', 'Own words']

function Draft() {
  return (
    <>
      <div
        className={cx(
          'mt-5 grow rounded-10 border border-line-strong px-4',
          'py-3.5 text-14 leading-5.5 text-ink-2',
        )}
      >
        <p className="-mx-1.5 rounded-4 bg-accent-soft px-1.5 py-1 text-13 text-accent-ink">
          I belong to a review exchange and bought this with a discount code; my opinion is my own.
        </p>
        <p className="mt-2.5">
          I set it up for a balcony with four pots. The frost dates are easy to change, and the watering table
          has already saved one basil. The print version is cramped, though: I would not buy it to hang on a
          wall.
          <span className="ml-0.5 inline-block h-4 w-px translate-y-0.5 bg-accent" />
        </p>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-13 text-success-ink">
        {checks.map((check) => (
          <li key={check} className="flex items-center gap-1.5">
            <Check size={14} strokeWidth={2.5} />
            {check}
          </li>
        ))}
      </ul>
    </>
  )
}

// The members in the picture's draw, by position: left out by a rule, drawn, or in the draw.
const dots = 60
const leftOut = new Set([3, 8, 9, 17, 22, 26, 31, 40, 41, 47, 55, 58])
const drawn = 33

function Draw() {
  return (
    <>
      <div className="mt-6 rounded-10 border border-line px-4 py-4 sm:px-5">
        <p className="text-13 font-medium text-ink">Drawn at random</p>
        <ul className="mt-4 grid grid-cols-[repeat(15,minmax(0,1fr))] gap-y-3">
          {Array.from({ length: dots }, (_, place) => (
            <li key={place} className="flex h-2.5 items-center justify-center">
              <Dot place={place} />
            </li>
          ))}
        </ul>
        <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1.5 text-12 text-ink-3">
          <li className="flex items-center gap-2">
            <Dot place={drawn} />
            Drawn
          </li>
          <li className="flex items-center gap-2">
            <Dot place={0} />
            In the draw
          </li>
          <li className="flex items-center gap-2">
            <Dot place={3} />
            Left out: recent exchange, or has the product
          </li>
        </ul>
      </div>
      <ol className="mt-5 space-y-2.5 text-13 text-ink-2">
        {['You asked for a review', 'A reviewer accepted', 'Purchase proven'].map((done) => (
          <li key={done} className="flex items-center gap-2.5">
            <span className="flex size-4.5 items-center justify-center rounded-full bg-accent text-on-accent">
              <Check size={11} strokeWidth={3} />
            </span>
            {done}
          </li>
        ))}
        <li className="flex items-center gap-2.5 text-ink">
          <span className="size-4.5 rounded-full border-2 border-accent" />
          Review being written
        </li>
      </ol>
    </>
  )
}

function Dot({ place }: { place: number }) {
  if (place === drawn) return <span className="size-2.5 rounded-full bg-accent ring-3 ring-accent-soft" />
  if (leftOut.has(place)) return <span className="size-2 rounded-full border border-line-strong" />
  return <span className="size-2 rounded-full bg-line-strong" />
}
