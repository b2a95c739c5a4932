import { formatUntil, useServerNow } from '#web/kit/time.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { useNextSteps } from './next-steps.ts'

/** The reviews that the member accepted and has to write, with their deadlines, in a few lines. */
export function AcceptedReviews() {
  const { data } = useNextSteps()
  const now = useServerNow()
  if (!data || data.toWrite.length === 0) return null
  return (
    <ul aria-label="Accepted reviews" className="mt-2 divide-y divide-line rounded-8 border border-line">
      {data.toWrite.map(({ id, productTitle, dueAt }) => (
        <li key={id} className="px-3 py-2 text-13">
          <TextLink href={paths.review(id)} className="wrap-anywhere">
            {productTitle}
          </TextLink>
          {dueAt === null ? null : <span className="block text-ink-2">{formatUntil(dueAt, now)}</span>}
        </li>
      ))}
    </ul>
  )
}
