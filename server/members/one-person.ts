// Two accounts may be one person, who would review their own products or pay where the other may not: by the
// cards that they paid with, which are kept as keyed hashes, or by their addresses and sign-in accounts. Our
// admins see accounts with one card on the page Money.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** In SQL: accounts `a` and `b` that were paid with one card, each with itself too. */
const ofOneCard = sql`payer_cards a join payer_cards b on b.card_hash = a.card_hash`
/**
 * In SQL: accounts `a` and `b` of which one has had an address or a sign-in account of the other, each with
 * itself too. A listing says nothing about who they are: it may have been sold.
 */
export const ofOneIdentity = sql`identity_hashes a join identity_hashes b
  on b.hash = a.hash and not a.of_listing and not b.of_listing`

/** In SQL: whether the members in these two columns may be one person, by a card or an identity. */
export function mayBeOnePerson(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`(exists (select from ${ofOneCard} where a.member_id = ${one} and b.member_id = ${other})
    or exists (select from ${ofOneIdentity} where a.member_id = ${one} and b.member_id = ${other}))`
}

/**
 * In SQL: the ids of the accounts that may be the same person as this member, theirs among them. An id may be
 * there twice: finding that out would sort.
 */
export function accountsOfPerson(memberId: RawBuilder<unknown>) {
  return sql<{ id: string }>`(select ${memberId} as id
    union all select b.member_id from ${ofOneCard} where a.member_id = ${memberId}
    union all select b.member_id from ${ofOneIdentity} where a.member_id = ${memberId})`
}
