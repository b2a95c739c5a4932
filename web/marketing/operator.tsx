import type { PageGiven } from '#contract/pages.ts'

/** Who runs this club, as far as its settings say so; of a demo, that nobody does. Nothing where there is nothing to say. */
export function Operator({ operator, demo }: Pick<PageGiven, 'operator' | 'demo'>) {
  if (operator)
    return (
      <p className="mt-4 max-w-[58ch] text-14 text-pretty text-ink-2">
        This club is run by <span className="font-medium text-ink">{operator.name}</span>, {operator.address}.
      </p>
    )
  if (!demo) return null
  return (
    <p className="mt-4 max-w-[58ch] text-14 text-pretty text-ink-2">
      This is a demo club, there to be tried: its members are made up, nothing is charged, and nobody runs it
      as a business.
    </p>
  )
}
