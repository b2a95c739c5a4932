import type { PageGiven } from '#contract/pages.ts'

/** The operator of this club, from its settings. A demo club says that it is a demo. */
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
      This is a demo club for you to try. Its members are made up, we charge nothing, and it isn’t run as a
      business.
    </p>
  )
}
