import { BadgeCheck, MessageSquareQuote, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { usualDisclosure } from '#contract/products.ts'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { SectionHead } from '#web/marketing/frame/section-head.tsx'

/** A review of the demo club, word for word. A test compares it with the demo's own. */
export const exampleReview = {
  title: 'Two Families, One Table: wedding budget spreadsheet',
  text:
    'Sorting by due date instead of theme is what made me keep it open. In March I could see that three ' +
    'deposits fell in the same week and moved one. The guest list works, though typing 140 names on a ' +
    'phone was no fun. The checklist is plain, which my mother liked. I would have wanted a column for ' +
    'tips.',
  usedFor: 'Planning a wedding for about 140 guests in September.',
  notFor: 'Couples with a planner, since the planner will have a sheet of their own.',
}

/** What a seller gets: one whole review, and what stands behind it. */
export function ExampleReview() {
  return (
    <PageBand className="border-t border-line bg-surface py-20 sm:py-28">
      <div
        className={
          'grid grid-cols-1 items-center gap-x-16 gap-y-10 ' + 'lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]'
        }
      >
        <div>
          <SectionHead
            title="A review you can learn from"
            lead="Not praise on order: what worked, what didn’t, and for whom."
          />
          <ul className="mt-8 space-y-5">
            <Point icon={<MessageSquareQuote />}>Its first sentence says where it comes from.</Point>
            <Point icon={<ReceiptText />}>
              The reviewer bought with the coupon and proved it before they could submit.
            </Point>
            <Point icon={<BadgeCheck />}>
              Two answers are for you alone: what they used it for, and who shouldn’t buy it.
            </Point>
          </ul>
        </div>
        <figure className="rounded-16 border border-line bg-canvas p-6 sm:p-8">
          <div className="flex flex-wrap items-center gap-2">
            <CategoryBadge category="template" />
            <StatusBadge status="verified" />
          </div>
          <p className="mt-3 text-18 font-semibold text-ink">{exampleReview.title}</p>
          <blockquote className="mt-4 space-y-3 text-16 text-pretty text-ink">
            <p className="rounded-8 bg-accent-soft px-3 py-2 text-14 text-accent-ink">{usualDisclosure}</p>
            <p>{exampleReview.text}</p>
          </blockquote>
          <dl className="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 text-14 sm:grid-cols-2">
            <div>
              <dt className="text-ink-3">What they used it for</dt>
              <dd className="mt-0.5 text-pretty text-ink-2">{exampleReview.usedFor}</dd>
            </div>
            <div>
              <dt className="text-ink-3">Who should not buy it</dt>
              <dd className="mt-0.5 text-pretty text-ink-2">{exampleReview.notFor}</dd>
            </div>
          </dl>
          <figcaption className="mt-5 text-13 text-ink-3">
            An example from the demo club. The product and its reviewer are made up.
          </figcaption>
        </figure>
      </div>
    </PageBand>
  )
}

function Point({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3.5 text-16 text-pretty text-ink-2">
      <span aria-hidden="true" className="mt-0.5 flex text-accent-ink [&_svg]:size-5">
        {icon}
      </span>
      {children}
    </li>
  )
}
