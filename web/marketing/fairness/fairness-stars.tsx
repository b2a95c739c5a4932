import { Star } from 'lucide-react'
import type { PublicStatistics } from '#contract/site.ts'
import { number } from '#contract/format.ts'
import { fewer, share } from './labels.ts'

const cell = 'border-t border-line px-3 py-3 text-right sm:px-5'

/** Returns and removals by stars. Counts stand beside shares, to show how many reviews a share is of. */
export function StarsTable({ rows }: { rows: NonNullable<PublicStatistics['byStars']> }) {
  return (
    <div className="overflow-x-auto rounded-12 border border-line bg-surface">
      <table className="w-full text-14">
        <caption className="sr-only">
          Reviews, and how many of them were returned or removed, by stars
        </caption>
        <thead className="bg-sunken text-13 text-ink-2">
          <tr>
            <th scope="col" className="px-3 py-2.5 text-left font-medium sm:px-5">
              Stars
            </th>
            <th scope="col" className="px-3 py-2.5 text-right font-medium sm:px-5">
              Reviews
            </th>
            <th scope="col" className="px-3 py-2.5 text-right font-medium sm:px-5">
              Returned
            </th>
            <th scope="col" className="px-3 py-2.5 text-right font-medium sm:px-5">
              Removed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ stars, counts }) => (
            <tr key={stars}>
              <th
                scope="row"
                className="border-t border-line px-3 py-3 text-left font-medium text-ink sm:px-5"
              >
                <span className="inline-flex items-center gap-1.5">
                  {stars}
                  <Star
                    size={14}
                    aria-label={stars === 1 ? 'star' : 'stars'}
                    className="fill-star text-star"
                  />
                </span>
              </th>
              {counts ? (
                <>
                  <td className={`${cell} text-ink`}>{number(counts.reviews)}</td>
                  <Counted count={counts.returned} of={counts.reviews} />
                  <Counted count={counts.removed} of={counts.reviews} />
                </>
              ) : (
                <td colSpan={3} className={`${cell} text-ink-3`}>
                  Too few to show
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Counted({ count, of }: { count: number | null; of: number }) {
  if (count === null) return <td className={`${cell} text-ink-3`}>{fewer}</td>
  return (
    <td className={cell}>
      <span className="font-medium text-ink">{share(count, of)}</span>{' '}
      <span className="text-ink-3">{number(count)}</span>
    </td>
  )
}
