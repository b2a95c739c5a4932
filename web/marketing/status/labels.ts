// How the state of the club reads. Times are UTC everywhere: a page for everybody knows no time zone.
import { statusParts, statusRules } from '#contract/site.ts'
import type { PartState, PartStatus, Status, StatusDay, StatusPart } from '#contract/site.ts'
import { days as inDays, list, number } from '#contract/format.ts'

export type Tone = 'success' | 'warning' | 'danger' | 'neutral'

export const stateLabels: Record<PartState, string> = {
  operational: 'Works',
  degraded: 'Has trouble',
  down: 'Down',
  unknown: 'Not measured',
}

/** The whole club in one sentence, worst first, and what to make of it. */
export function overall({ reachable, parts }: Status): { tone: Tone; title: string; words: string } {
  const inState = (state: PartState) => parts.filter((part) => part.state === state).map(({ part }) => part)
  const [down, trouble, unknown] = [inState('down'), inState('degraded'), inState('unknown')]
  if (!reachable)
    return {
      tone: 'danger',
      title: 'The club is out of reach',
      words:
        'Our database does not answer, so nobody can sign in or send anything at the moment. What was sent and confirmed before is kept. The history below is the last that was read.',
    }
  if (down.length > 0)
    return {
      tone: 'danger',
      title: `${partNames(down)} ${areSeveral(down) ? 'are' : 'is'} down`,
      words: [
        trouble.length > 0
          ? `${partNames(trouble)} ${areSeveral(trouble) ? 'have' : 'has'} trouble too.`
          : '',
        'We see it here as you do. What you sent and saw confirmed is kept.',
      ]
        .join(' ')
        .trim(),
    }
  if (trouble.length > 0)
    return {
      tone: 'warning',
      title: `${partNames(trouble)} ${areSeveral(trouble) ? 'have' : 'has'} trouble`,
      words: 'The last check failed. One failed check is often followed by one that passes.',
    }
  if (unknown.length === parts.length)
    return {
      tone: 'neutral',
      title: 'Nothing was measured lately',
      words: 'The first checks come within minutes of a start. Until then this page claims nothing.',
    }
  if (unknown.length > 0)
    return {
      tone: 'neutral',
      title: 'What was measured works',
      words: `There is no check of the last minutes of ${partNames(unknown)}, so nothing is said about ${areSeveral(unknown) ? 'them' : 'it'}.`,
    }
  return { tone: 'success', title: 'Everything works', words: 'Every part passed its last check.' }
}

/** The share of checks that passed, never rounded up to a whole; null while there were none. */
export function uptime({ checks, failed }: Pick<StatusDay, 'checks' | 'failed'>): string | null {
  if (checks === 0) return null
  if (failed === 0) return '100%'
  return `${(Math.floor(((checks - failed) / checks) * 10_000) / 100).toFixed(2)}%`
}

/** What a part's ninety bars show, in words. */
export function describeHistory({ days }: PartStatus): string {
  const measured = days.filter(({ checks }) => checks > 0)
  if (measured.length === 0) return 'No day was measured yet.'
  const failing = measured.filter(({ failed }) => failed > 0)
  const missing = days.length - measured.length
  return [
    `${inDays(measured.length)} measured`,
    failing.length === 0
      ? 'no check failed'
      : `checks failed on ${failing.length > 5 ? inDays(failing.length) : list(failing.map(({ day }) => formatDay(day)))}`,
    missing > 0 ? `${inDays(missing)} not measured` : null,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

/** That nothing failed for long, said of the days that were measured and of no others. */
export function noIncidents(parts: readonly PartStatus[]): string {
  const measured = parts.flatMap(({ days }) => days.filter(({ checks }) => checks > 0).map(({ day }) => day))
  const first = measured.toSorted()[0]
  if (first === undefined) return 'Nothing was measured yet.'
  const whole = parts.some(({ days }) => days[0]?.day === first)
  return whole
    ? `None in the last ${statusRules.days} days.`
    : `None since ${formatDay(first)}, when measuring began.`
}

/** One day of a part, as its bar says it. */
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

/** Whether a sentence about these parts has its verb in the plural. */
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

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

export const formatDay = (day: string) => dayFormat.format(new Date(day))
export const formatClock = (moment: string) => `${clockFormat.format(new Date(moment))} UTC`
export const formatMoment = (moment: string) => `${formatDay(moment)}, ${formatClock(moment)}`
