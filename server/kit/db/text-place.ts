// A place in a list that is sorted by a text or a moment and then by id, as the cursor of the next page.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { readCursor } from './db.ts'

type Place = { key: string; id: string }
type KeyType = 'text' | 'timestamptz'

export function writePlace({ key, id }: Place): string {
  return Buffer.from(`${key} ${id}`).toString('base64url')
}

/** The place that a cursor names; null for none, and for one that cannot be read. */
export function readPlace(cursor: string | undefined, type: KeyType): Place | null {
  if (type === 'timestamptz') {
    const at = readCursor(cursor)
    return at && { key: at.time, id: at.id }
  }
  const text = cursor ? Buffer.from(cursor, 'base64url').toString() : ''
  const [, key, id] = /^([^\0]*) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/s.exec(text) ?? []
  return key !== undefined && id ? { key, id } : null
}

type Order = { key: RawBuilder<string>; id: RawBuilder<string>; type: KeyType; direction: 'asc' | 'desc' }

/** The condition for rows behind a place. */
export function afterPlace(place: Place | null, { key, id, type, direction }: Order) {
  if (!place) return sql`true`
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  return sql`(${key}, ${id}) ${sign} (${place.key}::${sql.raw(type)}, ${place.id}::uuid)`
}
