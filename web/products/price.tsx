import { formatMoney } from '#web/kit/time.ts'

/** '$12.00'; 'Free' for zero; a dash with hidden text where no price was stated. Takes whole cents. */
export function Price({ cents }: { cents: number | null }) {
  if (cents === null) {
    return (
      <span className="text-ink-3">
        <span aria-hidden="true">—</span>
        <span className="sr-only">No price given</span>
      </span>
    )
  }
  return <span className="tabular">{cents === 0 ? 'Free' : formatMoney(cents)}</span>
}
