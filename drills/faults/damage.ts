// Proof that the comparison finds damage: acknowledged rows are taken away or doubled in a transaction that
// is rolled back, and each time the comparison has to name it.
import type pg from 'pg'
import { compare, isWhole } from './compare.ts'
import type { Outside } from './compare.ts'
import type { Entry } from './history.ts'

/** Returns what was damaged without being found. */
export async function findBlindSpots(db: pg.ClientBase, entries: Entry[], outside: Outside) {
  const unseen: string[] = []
  for (const [what, statements] of Object.entries(damages)) {
    await db.query('begin; set local session_replication_role = replica')
    let changed = 0
    for (const text of statements) changed = (await db.query(text)).rowCount ?? 0
    const found = changed === 1 && !isWhole(await compare(db, entries, outside))
    await db.query('rollback')
    if (!found) unseen.push(changed === 1 ? what : `${what} (${changed} rows were changed)`)
  }
  return { unseen, tried: Object.keys(damages).length }
}

const anAccepted = `select id from offers where state = 'accepted' limit 1`

const damages: Record<string, string[]> = {
  'a request is gone': ['delete from review_queue where id = (select id from review_queue limit 1)'],
  'a request is there twice': [free('review_queue'), again('review_queue', 'true')],
  'an acceptance is gone': [`update offers set state = 'withdrawn' where id = (${anAccepted})`],
  'an acceptance is there twice': [free('offers'), again('offers', `state = 'accepted'`)],
  'a decline is gone': ['delete from decline_history where id = (select id from decline_history limit 1)'],
  'a proof is gone': ['delete from proofs where id = (select id from proofs limit 1)'],
  'a submission is gone': [
    'delete from review_versions where ctid = (select ctid from review_versions limit 1)',
  ],
  'a ledger entry is there twice': [free('ledger_entries'), again('ledger_entries', `reason = 'gave'`)],
  'a balance is one too high': [
    `update reviewer_states set balance = balance + 1
      where member_id = (select member_id from reviewer_states limit 1)`,
  ],
  'a payment is gone': [
    `delete from membership_changes where id = (select id from membership_changes where kind = 'joined' limit 1)`,
  ],
  'a notice is gone': [
    `delete from notices where id = (select id from notices where dedupe_key like 'review.opened:%' limit 1)`,
  ],
  'a mail is there twice': [free('mails'), again('mails', 'sent_at is not null')],
}

/** Lets a row be there twice. */
function free(table: string) {
  return `do $$ declare found record; begin
    for found in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'u'
    loop execute format('alter table ${table} drop constraint %I cascade', found.conname); end loop;
    for found in select indexrelid::regclass::text as name from pg_index
      where indrelid = '${table}'::regclass and indisunique and not indisprimary
    loop execute format('drop index %s', found.name); end loop; end $$`
}

function again(table: string, which: string) {
  return `insert into ${table} select (jsonb_populate_record(null::${table},
      to_jsonb(t) || jsonb_build_object('id', gen_random_uuid()))).*
    from ${table} t where ${which} limit 1`
}
