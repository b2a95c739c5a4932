import { useSyncExternalStore } from 'react'
import { isTimeZone } from '#contract/time-zone.ts'

/*
 * Deadlines use the server's time, and a member's clock may be wrong by hours. Every countdown therefore uses
 * this device's clock plus the difference in the last answer.
 */

let offset = 0

/**
 * Stores the server's time from an answer: a `Date` header, ISO text or milliseconds. Ignores invalid values.
 */
export function noteServerTime(moment: string | number | null | undefined): void {
  const time = typeof moment === 'number' ? moment : moment ? Date.parse(moment) : Number.NaN
  if (Number.isFinite(time)) offset = time - Date.now()
}

/** The server's current time in milliseconds. */
export function serverNow(): number {
  return Date.now() + offset
}

const watchers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

/**
 * The server's current time, updated each second while `isTicking`. All users share one timer, which stops
 * without them.
 */
export function useServerNow(isTicking = true): number {
  return useSyncExternalStore(isTicking ? watch : doNotWatch, wholeSecond, wholeSecond)
}

function doNotWatch(): () => void {
  return () => undefined
}

/**
 * The milliseconds left until a moment, in whole seconds rounded up; never negative. With the `start` of the
 * time span it never exceeds the span, so that a clock of 30 minutes begins at 30:00.
 */
export function useTimeLeft(end: string | number, start?: string | number): number {
  const left = () => timeLeft(end, start)
  return useSyncExternalStore(watch, left, left)
}

export function timeLeft(end: string | number, start?: string | number, now: number = serverNow()): number {
  const to = new Date(end).getTime()
  const left = Math.max(0, Math.ceil((to - now) / 1_000) * 1_000)
  return start === undefined ? left : Math.min(left, Math.max(0, to - new Date(start).getTime()))
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  ticking ??= setInterval(() => {
    for (const watcher of watchers) watcher()
  }, 1_000)
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

// A snapshot must not change between two reads in one render, so it is rounded down to the second.
function wholeSecond(): number {
  return Math.floor(serverNow() / 1_000) * 1_000
}

/*
 * Dates and numbers follow the reader's choice. A page has one reader, so the choice is stored here once for
 * all screens.
 */

/** A language tag, for example 'en-GB', and an IANA time zone; null means the device's. */
export type Reader = { locale: string; timeZone: string | null }

let reader: Reader = { locale: 'en-US', timeZone: null }

/** Stores the signed-in member's choice for dates and numbers. */
export function noteReader(next: Reader): void {
  reader = next
}

/** The IANA name of the zone in which times are written for the reader. */
export function readerTimeZone(): string {
  return reader.timeZone ?? deviceTimeZone()
}

/** 'America/New York': a zone as people read it, by default the one in which times are written for them. */
export function zoneName(zone: string = readerTimeZone()): string {
  return zone.replaceAll('_', ' ')
}

/** 'Nov 21, 2026 at 9:05 AM' in American English, '21 Nov 2026 at 09:05' in British. */
export function formatDateTime(moment: string | number | Date, as: Reader = reader): string {
  return `${formatDate(moment, as)} at ${formatTime(moment, as)}`
}

/** 'Nov 21, 2026' */
export function formatDate(moment: string | number | Date, as: Reader = reader): string {
  return dates(as, { dateStyle: 'medium' }).format(new Date(moment))
}

/** 'Nov 21, 2026' for a day like '2026-11-21', which is the same in every time zone. */
export function formatDay(day: string, { locale }: Reader = reader): string {
  return dates({ locale, timeZone: 'UTC' }, { dateStyle: 'medium' }).format(new Date(day))
}

/** 'Nov 21' for a day like '2026-11-21', where the year is obvious. */
export function formatShortDay(day: string, { locale }: Reader = reader): string {
  return dates({ locale, timeZone: 'UTC' }, { month: 'short', day: 'numeric' }).format(new Date(day))
}

/** 'November 2026' for a month like '2026-11', which is the same in every time zone. */
export function formatMonth(month: string, { locale }: Reader = reader): string {
  return dates({ locale, timeZone: 'UTC' }, { month: 'long', year: 'numeric' }).format(new Date(month))
}

/** 'Nov' for a month like '2026-11', where the year is obvious. */
export function formatShortMonth(month: string, { locale }: Reader = reader): string {
  return dates({ locale, timeZone: 'UTC' }, { month: 'short' }).format(new Date(month))
}

/** '9:05 AM' */
export function formatTime(moment: string | number | Date, as: Reader = reader): string {
  // Browsers put a narrow space before AM and PM, which our font lacks.
  return dates(as, { timeStyle: 'short' }).format(new Date(moment)).replaceAll('\u202f', ' ')
}

/** '9:05 AM' for minutes after midnight, which are the same in every time zone. */
export function formatClockTime(minutes: number, { locale }: Reader = reader): string {
  return formatTime(minutes * 60_000, { locale, timeZone: 'UTC' })
}

/** '2026-11-21': the day of a moment on the reader's clocks, as a date field has it. */
export function dayOf(moment: number, { timeZone }: Reader = reader): string {
  return dates({ locale: 'en-CA', timeZone }, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  )
}

/** 'Nov 21, 9:05 AM', where the year is obvious. */
export function formatDayTime(moment: string | number | Date, as: Reader = reader): string {
  const day = dates(as, { month: 'short', day: 'numeric' }).format(new Date(moment))
  return `${day}, ${formatTime(moment, as)}`
}

/** '1,234.5' */
export function formatNumber(value: number, as: Reader = reader): string {
  return new Intl.NumberFormat(as.locale).format(value)
}

/** '$0.50' for 50; takes whole US cents. */
export function formatMoney(cents: number, as: Reader = reader): string {
  return new Intl.NumberFormat(as.locale, { style: 'currency', currency: 'USD' }).format(cents / 100)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats are cached, since creating one is slow. An unknown time zone falls back to the device's. */
function dates({ locale, timeZone }: Reader, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, style])
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, {
    ...style,
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : undefined,
  })
  formats.set(key, format)
  return format
}

/** This device's time zone, for example 'Europe/Berlin'. */
export function deviceTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * '5 minutes ago' or 'in 3 days' by the server's clock; 'just now' within a minute. Rounds down to whole
 * units.
 */
export function formatAgo(
  moment: string | number | Date,
  now: number = serverNow(),
  as: Reader = reader,
): string {
  const seconds = (new Date(moment).getTime() - now) / 1_000
  const unit = units.find(({ length }) => Math.abs(seconds) >= length)
  if (!unit) return 'just now'
  return new Intl.RelativeTimeFormat(as.locale).format(Math.trunc(seconds / unit.length), unit.name)
}

const units = [
  { name: 'year', length: 31_557_600 },
  { name: 'month', length: 2_629_800 },
  { name: 'week', length: 604_800 },
  { name: 'day', length: 86_400 },
  { name: 'hour', length: 3_600 },
  { name: 'minute', length: 60 },
] as const

/** '2h 5m', or '5m' under an hour; never negative. Rounds up, so '0m' means that the time is up. */
export function hoursAndMinutes(milliseconds: number): string {
  const minutes = Math.max(0, Math.ceil(milliseconds / 60_000))
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`
}

/** '29:14', or '2:05:00' from an hour on; never negative. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/**
 * '2 days 4 hours', '3 hours 10 minutes' or '12 minutes', for screen readers; never negative. Up to a second
 * more is the difference between two clocks, and no minute more.
 */
export function formatDuration(milliseconds: number): string {
  const minutes = milliseconds <= 0 ? 0 : Math.max(1, Math.ceil((milliseconds - 1_000) / 60_000))
  const parts = [
    [Math.floor(minutes / 1_440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  if (shown.length === 0) return '0 minutes'
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ')
}

/** 'until 4:30 PM, 28 minutes left'; on another day 'until Nov 24, 4:30 PM, 2 days left'. */
export function formatUntil(
  end: string | number | Date,
  now: number = serverNow(),
  as: Reader = reader,
): string {
  return `until ${formatSoon(end, now, as)}, ${formatDuration(new Date(end).getTime() - now)} left`
}

/** '4:30 PM' today, 'Nov 24, 4:30 PM' on another day. */
export function formatSoon(
  moment: string | number | Date,
  now: number = serverNow(),
  as: Reader = reader,
): string {
  return formatDate(moment, as) === formatDate(now, as) ? formatTime(moment, as) : formatDayTime(moment, as)
}

/** The share of a time span that has passed, from 0 to 1. A span without length counts as passed. */
export function elapsedShare(start: number, end: number, now: number): number {
  if (end <= start) return 1
  return Math.min(1, Math.max(0, (now - start) / (end - start)))
}
