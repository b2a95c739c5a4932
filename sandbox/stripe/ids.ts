import { randomBytes } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Such as `sub_1Q…`: a prefix and 24 random characters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}

/** The id of a field that holds an id or the whole object. */
export function idOf(field: string | { id: string }): string {
  return typeof field === 'string' ? field : field.id
}
