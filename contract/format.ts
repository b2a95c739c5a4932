// Formats figures for sentences: on the rules page, in the texts of `content/` and on the public pages.

/** With separators between thousands. */
export function number(figure: number): string {
  return figure.toLocaleString('en-US')
}

export function count(figure: number, one: string, many = `${one}s`): string {
  return `${number(figure)} ${figure === 1 ? one : many}`
}

export function days(figure: number): string {
  return count(figure, 'day')
}

/** From four days on, whole days are written in days: '72 hours', but '7 days'. */
export function hours(figure: number): string {
  return figure > 72 && figure % 24 === 0 ? days(figure / 24) : count(figure, 'hour')
}

/** Whole hours are written in hours. */
export function minutes(figure: number): string {
  return figure >= 60 && figure % 60 === 0 ? hours(figure / 60) : count(figure, 'minute')
}

/** Up to two minutes in seconds, then in minutes, rounded up, so that no one comes back too early. */
export function wait(seconds: number): string {
  return seconds <= 120 ? count(seconds, 'second') : minutes(Math.ceil(seconds / 60))
}

/** With at most two decimals: 2,097,151 bytes read as 2 MB, the size that a file must stay under. */
export function megabytes(bytes: number): string {
  return `${number(Math.round((bytes / (1024 * 1024)) * 100) / 100)} MB`
}

/** A part of a whole as a share of 1, in whole percent: 0 and 1 only for none and all. */
export function wholeShare(part: number, all: number): number {
  if (part === 0 || part === all) return all === 0 ? 0 : part / all
  return Math.min(0.99, Math.max(0.01, Math.round((part / all) * 100) / 100))
}

/** With at most one decimal. */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

/** Always with cents. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** With cents only when there are any. */
export function price(cents: number): string {
  return cents % 100 === 0 ? `$${cents / 100}` : dollars(cents)
}

/** 'November 21, 2026' for '2026-11-21'. No time zone shifts the day. */
export function date(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** 'One', 'One and two', 'One, two and three'. */
export function list(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`
}

export function quoted(words: readonly string[], last = 'and'): string {
  return list(
    words.map((word) => `“${word}”`),
    last,
  )
}
