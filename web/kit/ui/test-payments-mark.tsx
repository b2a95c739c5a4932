import { Badge } from './badge.tsx'
import { cx } from './cx.ts'

/** Marks a page whose payments are tests. On every page that shows payments. */
export function TestPaymentsMark() {
  return <Badge tone="warning">Test payment</Badge>
}

/** Says that no money moves, and with which published card number to try it. */
export function TestPaymentNote({ className }: { className?: string }) {
  return (
    <p className={cx('rounded-8 bg-warning-soft px-3 py-2 text-13 text-pretty text-warning-ink', className)}>
      <span className="font-semibold">Test payment:</span> no money moves. Pay with the test card{' '}
      <span className="tabular whitespace-nowrap">4242 4242 4242 4242</span>, and any future date and code if
      it asks for them.
    </p>
  )
}
