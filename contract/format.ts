// How a figure reads in a sentence: on the page of rules, in the texts of `content/`, on the public pages.

/** Thousands are set apart. */
export function number(figure: number): string {
  return figure.toLocaleString('en-US')
}

export function count(figure: number, one: string, many = `${one}s`): string {
  return `${number(figure)} ${figure === 1 ? one : many}`
}

export function days(figure: number): string {
  return count(figure, 'day')
}

/** Whole days are days from the fourth on: '72 hours', but '7 days'. */
export function hours(figure: number): string {
  return figure > 72 && figure % 24 === 0 ? days(figure / 24) : count(figure, 'hour')
}

/** Whole hours are hours. */
export function minutes(figure: number): string {
  return figure >= 60 && figure % 60 === 0 ? hours(figure / 60) : count(figure, 'minute')
}

/** In two decimals at most, so that a limit written as the last byte that passes reads as the size it stays under. */
export function megabytes(bytes: number): string {
  return `${number(Math.round((bytes / (1024 * 1024)) * 100) / 100)} MB`
}

/** In one decimal at most. */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

/** Always with cents. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** Without cents where there are none. */
export function price(cents: number): string {
  return cents % 100 === 0 ? `$${cents / 100}` : dollars(cents)
}

/** 'November 21, 2026', of a day such as '2026-11-21', which is the same day for everybody. */
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
