// How the figures of the rules are written.
export const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
export const days = (number: number) => count(number, 'day')
export const hours = (number: number) =>
  number % 24 === 0 && number > 72 ? days(number / 24) : count(number, 'hour')
export const minutes = (number: number) =>
  number >= 60 && number % 60 === 0 ? hours(number / 60) : count(number, 'minute')
export const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
/** Without cents where there are none. */
export const price = (cents: number) => (cents % 100 === 0 ? `$${cents / 100}` : dollars(cents))
export const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
export const megabytes = (bytes: number) => `${Math.round((bytes / (1024 * 1024)) * 100) / 100} MB`
export const join = (words: readonly string[], last = 'and') =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`
export const quoted = (words: readonly string[], last = 'and') =>
  join(
    words.map((each) => `“${each}”`),
    last,
  )
