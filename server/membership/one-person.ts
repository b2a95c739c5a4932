// Two accounts may be one person, who would review their own products or pay where the other may not: by the
// cards that they paid with, which are kept as keyed hashes, or by their addresses and sign-in accounts. Our
// admins see accounts with one card on the page Money.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * In SQL: whether the members in these two columns may be one person: one card paid for both, or one of them
 * has had an email address or a sign-in account of the other. A listing says nothing about who they are: it
 * may have been sold.
 */
export function mayBeOnePerson(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`(exists (select from payer_cards a join payer_cards b on b.card_hash = a.card_hash
      where a.member_id = ${one} and b.member_id = ${other})
    or exists (select from identity_hashes a join identity_hashes b on b.hash = a.hash and not b.of_listing
      where a.member_id = ${one} and b.member_id = ${other} and not a.of_listing))`
}

/** In SQL: the ids of the accounts that may be the same person as this member, theirs among them. */
export function accountsOfPerson(memberId: RawBuilder<unknown>) {
  return sql<{ id: string }>`(select ${memberId} as id
    union select b.member_id from payer_cards a join payer_cards b on b.card_hash = a.card_hash
      where a.member_id = ${memberId}
    union select b.member_id from identity_hashes a join identity_hashes b on b.hash = a.hash
      where a.member_id = ${memberId} and not a.of_listing and not b.of_listing)`
}
