// The pictures of the three highlights. They are decoration: the text beside them says the same.
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'
import { fact } from '#web/marketing/fact.ts'

function Stage({ children }: { children: ReactNode }) {
  return (
    <div
      aria-hidden="true"
      className={cx(
        'flex min-h-80 forced-color-adjust-none items-center justify-center rounded-16',
        'border border-line bg-sunken p-5 text-14 sm:p-10',
      )}
    >
      <div className="w-full max-w-96 rounded-12 border border-line bg-surface p-5">{children}</div>
    </div>
  )
}

const order = [
  'Members online now',
  'Members who owe a review',
  'Members who waited longest',
  'Then chance decides',
]

export function DrawPicture() {
  return (
    <Stage>
      <p className="text-13 font-medium text-ink-3">The order of the draw</p>
      <ol className="mt-4">
        {order.map((each, index) => (
          <li key={each} className="relative flex items-center gap-3.5 pb-5 last:pb-0">
            {index < order.length - 1 ? (
              <span className="absolute top-7 bottom-0 left-3.5 w-px bg-line" />
            ) : null}
            <span
              className={cx(
                'tabular flex size-7 shrink-0 items-center justify-center rounded-full border',
                'text-13 font-semibold',
                index === order.length - 1
                  ? 'border-accent bg-accent text-on-accent'
                  : 'border-line-strong text-ink-2',
              )}
            >
              {index + 1}
            </span>
            <span className="text-ink">{each}</span>
          </li>
        ))}
      </ol>
    </Stage>
  )
}

const checks = [
  { done: true, label: `At least ${fact('reviewWords')} or ${fact('reviewSentences')}` },
  { done: true, label: 'Opens with the disclosure' },
  { done: true, label: 'No links, no personal data' },
  { done: false, label: 'Used for long enough' },
]

export function WritingPicture() {
  return (
    <Stage>
      <div className="flex items-baseline justify-between gap-4">
        <p className="text-13 font-medium text-ink-3">Before you can submit</p>
        <p className="tabular text-13 font-semibold text-ink">3 of 4</p>
      </div>
      <ul className="mt-4 space-y-3.5">
        {checks.map(({ done, label }) => (
          <li key={label} className="flex items-center gap-3">
            <span
              className={cx(
                'flex size-5 shrink-0 items-center justify-center rounded-full',
                done ? 'bg-success-soft text-success-ink' : 'border-2 border-line-strong',
              )}
            >
              {done ? <Check size={13} strokeWidth={3} /> : null}
            </span>
            <span className={done ? 'text-ink' : 'text-ink-2'}>{label}</span>
          </li>
        ))}
      </ul>
      <div className="mt-5 border-t border-line pt-4">
        <div className="h-1.5 overflow-hidden rounded-full bg-pressed">
          <div className="h-full w-2/5 rounded-full bg-accent" />
        </div>
        <p className="mt-2 flex justify-between text-12 text-ink-3">
          <span>Bought</span>
          <span>{fact('reviewTime')} after accepting</span>
        </p>
      </div>
    </Stage>
  )
}

const outcomes = ['The draw', 'Place in the queue', 'The ledger', 'Deadlines', 'Cooldowns']

export function StarsPicture() {
  return (
    <Stage>
      <p
        className={cx(
          'flex items-baseline justify-between border-b border-line',
          'pb-3 text-13 font-medium text-ink-3',
        )}
      >
        <span>What decides</span>
        <span>Looks at stars</span>
      </p>
      <ul className="divide-y divide-line">
        {outcomes.map((each) => (
          <li key={each} className="flex items-center justify-between py-3 text-ink last:pb-0">
            {each}
            <span className="text-ink-3">Never</span>
          </li>
        ))}
      </ul>
    </Stage>
  )
}
