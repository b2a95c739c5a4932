import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#web/kit/time.ts'
import { Part } from '../health/part.tsx'
import { LeftOut, StandingBadge } from '../health/rule-counts.tsx'
import { staffApi } from '../api.ts'

/** How many members each rule leaves out of a waiting request. */
export function RulesCard({ id }: { id: string }) {
  const query = useQuery(staffApi.exchanges.explainExchange.queryOptions({ input: { id } }))
  return (
    <Part
      title="Who can be asked"
      help="By the rules of the draw. Each member counts under the first rule that leaves them out."
      query={query}
    >
      {(rules) =>
        rules === null ? (
          <p className="px-5 pb-5 text-14 text-ink-2">This request no longer waits.</p>
        ) : (
          <div className="px-5 pb-5">
            <p className="flex flex-wrap items-center gap-2 text-14 text-ink-2">
              <StandingBadge heldBy={rules.heldBy} askable={rules.askable} />
              of {formatNumber(rules.members)} members
            </p>
            <LeftOut excluded={rules.excluded} />
            {rules.notLookedAt > 0 ? (
              <p className="mt-2 text-13 text-ink-2">
                {formatNumber(rules.notLookedAt)} further members were not looked at.
              </p>
            ) : null}
          </div>
        )
      }
    </Part>
  )
}
