// How the state of the club reads. All times are UTC: a public page doesn't know the reader's time zone.
import { statusParts, statusRules } from '#contract/site.ts'
import type { PartState, PartStatus, Status, StatusDay, StatusPart } from '#contract/site.ts'
import { days as inDays, list, number } from '#contract/format.ts'

export type Tone = 'success' | 'warning' | 'danger' | 'neutral'

export const stateLabels: Record<PartState, string> = {
  operational: 'Working',
  degraded: 'Having trouble',
  down: 'Down',
  unknown: 'Not measured',
}

/** The whole club in one sentence, worst first, and what it means. */
export function overall({ reachable, parts }: Status): { tone: Tone; title: string; text: string } {
  const inState = (state: PartState) => parts.filter((part) => part.state === state).map(({ part }) => part)
  const [down, trouble, unknown] = [inState('down'), inState('degraded'), inState('unknown')]
  if (!reachable)
    return {
      tone: 'danger',
      title: 'The club is unavailable',
      text:
        'Our database isn’t answering, so you can’t sign in or send anything right now. ' +
        'Everything you sent and saw confirmed is safe. The history below is from the last time ' +
        'we could read it.',
    }
  if (down.length > 0)
    return {
      tone: 'danger',
      title: `${partNames(down)} ${areSeveral(down) ? 'are' : 'is'} down`,
      text: [
        trouble.length > 0
          ? `${partNames(trouble)} ${areSeveral(trouble) ? 'are' : 'is'} having trouble too.`
          : '',
        'Everything you sent and saw confirmed is safe.',
      ]
        .join(' ')
        .trim(),
    }
  if (trouble.length > 0)
    return {
      tone: 'warning',
      title: `${partNames(trouble)} ${areSeveral(trouble) ? 'are' : 'is'} having trouble`,
      text: 'The last check failed. Often the next one passes again.',
    }
  if (unknown.length === parts.length)
    return {
      tone: 'neutral',
      title: 'No recent checks',
      text: 'The first checks run within minutes of a start. Until then, we don’t know what’s working.',
    }
  if (unknown.length > 0)
    return {
      tone: 'neutral',
      title: 'Everything we checked is working',
      text:
        `We have no recent check of ${partNames(unknown)}, so we don’t know how ` +
        `${areSeveral(unknown) ? 'they are' : 'it is'} doing.`,
    }
  return { tone: 'success', title: 'Everything is working', text: 'Every part passed its last check.' }
}

/** The share of checks that passed, never rounded up to 100%; null without checks. */
export function uptime({ checks, failed }: Pick<StatusDay, 'checks' | 'failed'>): string | null {
  if (checks === 0) return null
  if (failed === 0) return '100%'
  return `${(Math.floor(((checks - failed) / checks) * 10_000) / 100).toFixed(2)}%`
}

/** What a part's ninety bars show, for screen readers. */
export function describeHistory({ days }: PartStatus): string {
  const measured = days.filter(({ checks }) => checks > 0)
  if (measured.length === 0) return 'No day has been measured yet.'
  const failing = measured.filter(({ failed }) => failed > 0)
  const missing = days.length - measured.length
  return [
    `${inDays(measured.length)} measured`,
    failing.length === 0
      ? 'no check failed'
      : `checks failed on ${failing.length > 5 ? inDays(failing.length) : list(failing.map(dayName))}`,
    missing > 0 ? `${inDays(missing)} not measured` : null,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const dayName = ({ day }: StatusDay) => formatDay(day)

/** Says that there were no incidents, on the measured days alone. */
export function noIncidents(parts: readonly PartStatus[]): string {
  const measured = parts.flatMap(({ days }) => days.filter(({ checks }) => checks > 0).map(({ day }) => day))
  const first = measured.toSorted()[0]
  if (first === undefined) return 'Nothing has been measured yet.'
  const whole = parts.some(({ days }) => days[0]?.day === first)
  return whole
    ? `None in the last ${statusRules.days} days.`
    : `None since ${formatDay(first)}, when we started measuring.`
}

/** One day of a part, as the label of its bar. */
export function dayOfPart(day: StatusDay): string {
  const { checks, failed } = day
  const date = formatDay(day.day)
  if (checks === 0) return `${date}: not measured`
  if (failed === 0) return `${date}: all ${number(checks)} checks passed`
  return `${date}: ${uptime(day)} (${number(failed)} of ${number(checks)} checks failed)`
}

export function partNames(parts: readonly StatusPart[]): string {
  return list(parts.map((part) => statusParts[part]))
}

const namedInPlural: ReadonlySet<StatusPart> = new Set(['jobs', 'live', 'files'])

/** Whether a sentence about these parts needs a plural verb. */
export function areSeveral(parts: readonly StatusPart[]): boolean {
  return parts.length > 1 || parts.some((part) => namedInPlural.has(part))
}

/** '3 min', '2 h 5 min', '1 d 4 h'. */
export function lasted(startedAt: string, endedAt: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts =
    days > 0 ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`]
  return parts.filter(Boolean).join(' ')
}

/** Whether a backup is known to work. */
export function restored(drill: Status['restoreDrill']): string {
  if (!drill) return 'No backup has been restored as a test yet.'
  const took =
    drill.seconds < 60
      ? `${Math.max(1, Math.round(drill.seconds))} s`
      : lasted(new Date(0).toISOString(), new Date(drill.seconds * 1000).toISOString())
  return (
    `On ${formatMoment(drill.at)} we restored the backup of ${formatMoment(drill.snapshotAt)} ` +
    `as a test. Everything in it was there, after ${took}.`
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

export const formatDay = (day: string) => dayFormat.format(new Date(day))
export const formatClock = (moment: string) => `${clockFormat.format(new Date(moment))} UTC`
export const formatMoment = (moment: string) => `${formatDay(moment)}, ${formatClock(moment)}`
