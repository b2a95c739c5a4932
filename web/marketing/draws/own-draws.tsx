import { useEffect, useEffectEvent, useState } from 'react'
import type { OwnDraw } from '#contract/matching.ts'
import { buttonLook } from '#web/kit/ui/button.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { paths } from '#web/paths.ts'
import { broken, Failed } from './failed.tsx'
import { dayName } from './report.ts'
import type { Checker, Failure } from './report.ts'

/** My latest requests and offers that were drawn, each with its check. */
export function OwnDraws({ checker }: { checker: Checker | null }) {
  const [found, setFound] = useState<OwnDraw[] | Failure | null>(null)
  const loadAtStart = useEffectEvent(load)
  // The club is outside React: it is asked once, when the page opens.
  useEffect(() => loadAtStart(), [])

  function load() {
    setFound(null)
    checker?.listOwnDraws().then(setFound, () => setFound(broken))
  }

  return (
    <section aria-labelledby="own-draws-title" className="mt-14 border-t border-line pt-12">
      <h2 id="own-draws-title" className="text-28 font-semibold text-ink">
        Your latest draws
      </h2>
      <div aria-live="polite" className="mt-5">
        {found === null ? (
          <p className="flex items-center gap-2.5 text-16 text-ink-2">
            <Spinner /> Loading your draws...
          </p>
        ) : !Array.isArray(found) ? (
          <>
            <Failed failure={found} />
            <button type="button" className={buttonLook('secondary', 'lg')} onClick={load}>
              Try again
            </button>
          </>
        ) : found.length === 0 ? (
          <p className="text-16 text-ink-2">Nothing was drawn for you yet.</p>
        ) : (
          <ul className="divide-y divide-line rounded-12 border border-line bg-surface">
            {found.map((draw) => (
              <Draw key={draw.request} draw={draw} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Draw({ draw: { request, side, title, day, published } }: { draw: OwnDraw }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3.5 sm:px-6">
      <div className="min-w-0">
        <p className="text-14 font-medium wrap-anywhere text-ink">{title}</p>
        <p className="text-13 text-ink-2">
          {side === 'seller' ? 'Your request' : 'Offered to you'}. The secret of {dayName(day)}{' '}
          {published ? 'is published.' : 'isn’t published yet.'}
        </p>
      </div>
      <TextLink href={paths.drawCheck(request)} aria-label={`Check the draw of ${title}`} className="text-14">
        Check
      </TextLink>
    </li>
  )
}
