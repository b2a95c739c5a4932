import { Hourglass } from 'lucide-react'
import { formatUntil, useServerNow } from '#web/kit/time.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { useOwnWait } from './own-wait.ts'

/** Says that the member gets no offers now, until when, and where that is explained. Renders nothing else. */
export function CooldownLine() {
  const wait = useOwnWait()
  const now = useServerNow()
  if (!wait) return null
  return (
    <p className="flex items-start gap-3 border-t border-line px-5 py-4 text-14 text-pretty text-ink-2">
      <Hourglass size={18} aria-hidden="true" className="mt-px shrink-0 text-warning-ink" />
      <span>
        {wait.isRest ? 'You’re resting' : 'You’re on cooldown'}, so you get no new offers{' '}
        <time dateTime={new Date(wait.until).toISOString()}>{formatUntil(wait.until, now)}</time>.{' '}
        <TextLink href={paths.cooldown()}>Cooldown Status</TextLink>
      </span>
    </p>
  )
}
