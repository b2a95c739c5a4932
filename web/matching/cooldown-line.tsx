import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { api } from '#web/api.ts'
import { formatUntil, useServerNow } from '#web/kit/time.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { waitOf } from './cooldown-wait.ts'
import { useServerClock } from './server-clock.ts'

/** Says that the member gets no offers now, until when, and where that is explained. Renders nothing else. */
export function CooldownLine() {
  const query = useQuery(api.matching.findCooldown.queryOptions())
  useServerClock(query)
  const now = useServerNow()
  if (!query.data) return null
  const { isRest, until } = waitOf(query.data, now)
  if (until <= now) return null
  return (
    <p className="flex items-start gap-3 border-t border-line px-5 py-4 text-14 text-pretty text-ink-2">
      <Hourglass size={18} aria-hidden="true" className="mt-px shrink-0 text-warning-ink" />
      <span>
        {isRest ? 'You’re resting' : 'You’re on cooldown'}, so you get no new offers{' '}
        <time dateTime={new Date(until).toISOString()}>{formatUntil(until, now)}</time>.{' '}
        <TextLink href={paths.cooldown()}>Cooldown Status</TextLink>
      </span>
    </p>
  )
}
