// The pairs that declarations bind, as the view `declared_pairs` defines them.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** In SQL: whether one of the members in these two columns declared something that excludes the other. */
export function isDeclared(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`(exists (select from declared_pairs x where x.one = ${one} and x.other = ${other})
    or exists (select from declared_pairs x where x.one = ${other} and x.other = ${one}))`
}

/** In SQL: the ids of the members with whom one of these must not be matched. */
export function declaredWith(memberIds: readonly string[]) {
  return sql<{ id: string }>`(select other as id from declared_pairs where one = any(${memberIds}::uuid[])
    union select one from declared_pairs where other = any(${memberIds}::uuid[]))`
}
