// One small picture for each of the three steps. They are decoration: the text beside them says the same.
import { Check, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'

function Stage({ children }: { children: ReactNode }) {
  return (
    <div
      aria-hidden="true"
      className={cx(
        'flex h-52 forced-color-adjust-none items-center justify-center overflow-hidden',
        'rounded-12 border border-line bg-sunken px-5 text-13',
      )}
    >
      <div className="w-full max-w-76">{children}</div>
    </div>
  )
}

const sheet = 'rounded-10 border border-line bg-surface p-4'

export function ConnectPicture() {
  return (
    <Stage>
      <div className={sheet}>
        <p className="font-medium text-ink">Coupon link</p>
        <p className="mt-1.5 flex h-9 items-center gap-2 rounded-8 border border-line-strong px-3 text-ink-2">
          <Link2 size={14} className="shrink-0 text-ink-3" />
          <span className="truncate">makerlane.example/listing/204?coupon=FREE</span>
        </p>
        <p className="mt-2 flex items-center gap-1.5 text-12 font-medium text-success-ink">
          <Check size={13} strokeWidth={3} />
          Verified Link
        </p>
      </div>
    </Stage>
  )
}

export function OfferPicture() {
  return (
    <Stage>
      <div className={sheet}>
        <div className="flex items-center justify-between gap-3">
          <div>
            <p className="text-14 font-semibold text-ink">You’ve been asked for a review</p>
            <p className="mt-0.5 text-12 text-ink-3">Drawn for you by the rotation</p>
          </div>
          <TimeLeft />
        </div>
        <div className="mt-3.5 grid grid-cols-2 gap-2 text-center font-medium">
          <span className="flex h-8 items-center justify-center rounded-6 border border-line-strong text-ink">
            Decline
          </span>
          <span className="flex h-8 items-center justify-center rounded-6 bg-accent text-on-accent">
            Accept
          </span>
        </div>
      </div>
    </Stage>
  )
}

function TimeLeft() {
  return (
    <span className="relative flex size-13 shrink-0 items-center justify-center">
      <svg
        width="52"
        height="52"
        viewBox="0 0 44 44"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth="3"
      >
        <circle cx="22" cy="22" r="20" className="stroke-pressed" />
        <circle
          cx="22"
          cy="22"
          r="20"
          className="stroke-accent"
          strokeDasharray="90 126"
          strokeLinecap="round"
        />
      </svg>
      <span className="tabular text-12 font-semibold text-ink">21:40</span>
    </span>
  )
}

const entries = [
  { what: 'Container Garden Calendar', how: 'You gave', change: '+1' },
  { what: 'Weekly Meal Planner', how: 'You received', change: '−1' },
]

export function LedgerPicture() {
  return (
    <Stage>
      <div className={sheet}>
        <div className="flex items-center justify-between">
          <p className="font-medium text-ink">Your ledger</p>
          <StatusBadge status="verified" />
        </div>
        <ul className="mt-2.5 divide-y divide-line border-y border-line">
          {entries.map(({ what, how, change }) => (
            <li key={what} className="flex items-baseline justify-between gap-3 py-2">
              <span className="min-w-0 truncate text-ink-2">
                {how}: <span className="text-ink">{what}</span>
              </span>
              <span className="tabular font-semibold text-ink">{change}</span>
            </li>
          ))}
        </ul>
        <p className="mt-2.5 flex justify-between font-semibold text-ink">
          Balance <span className="tabular">0, even</span>
        </p>
      </div>
    </Stage>
  )
}
