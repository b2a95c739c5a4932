// Proof that the comparison finds damage: acknowledged rows are taken away or doubled in a transaction that
// is rolled back, files of the storage are taken away or changed and put back, and each time the comparison
// has to name it.
import type pg from 'pg'
import type { Files } from '#server/kit/uploads/files.ts'
import { compare, isWhole } from './compare.ts'
import type { Outside } from './compare.ts'
import type { Entry } from './history.ts'
import { readKeptFiles } from './pictures.ts'

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

/** The same for the files of the storage. */
export async function findBlindSpotsOfFiles(
  db: pg.ClientBase,
  entries: Entry[],
  { files, outside }: { files: Files; outside: Outside },
) {
  const unseen: string[] = []
  const { rows } = await db.query<{ key: string }>(
    'select file_key as key from proofs where file_key is not null order by random() limit 2',
  )
  const [one, other] = await Promise.all(rows.map(({ key }) => files.get(key)))
  const key = rows[0]?.key
  if (key === undefined || !one || !other) return { unseen: ['there are not two files'], tried: 0 }
  for (const [what, damage] of Object.entries(damagesOfFiles)) {
    await damage(files, key, one, other)
    const found = !isWhole(await compare(db, entries, { ...outside, files: await readKeptFiles(files) }))
    await files.put(key, one)
    if (!found) unseen.push(what)
  }
  const opened = new Set([...outside.opened].filter((each) => each !== key))
  if (isWhole(await compare(db, entries, { ...outside, opened }))) unseen.push('a file does not open')
  const isMended = isWhole(await compare(db, entries, { ...outside, files: await readKeptFiles(files) }))
  if (!isMended) unseen.push('what was put back is not as it was')
  return { unseen, tried: Object.keys(damagesOfFiles).length + 1 }
}

type DamageOfFile = (files: Files, key: string, one: Buffer, other: Buffer) => Promise<void>

const damagesOfFiles: Record<string, DamageOfFile> = {
  'a file is gone': (files, key) => files.remove(key),
  'a file is another one': (files, key, _one, other) => files.put(key, other),
  'a file lost its end': (files, key, one) => files.put(key, one.subarray(0, one.length / 2)),
}

const anAccepted = `select id from offers where state = 'accepted' limit 1`

const damages: Record<string, string[]> = {
  'a request is gone': ['delete from review_queue where id = (select id from review_queue limit 1)'],
  'a request is there twice': [free('review_queue'), again('review_queue', 'true')],
  'an acceptance is gone': [`update offers set state = 'withdrawn' where id = (${anAccepted})`],
  'an acceptance is there twice': [free('offers'), again('offers', `state = 'accepted'`)],
  'a decline is gone': ['delete from decline_history where id = (select id from decline_history limit 1)'],
  'a proof is gone': ['delete from proofs where id = (select id from proofs limit 1)'],
  'a proof by a picture is gone': [
    `delete from proofs where id = (select id from proofs where kind = 'file' limit 1)`,
  ],
  'a proof names another file': [
    `update proofs set file_key = repeat('0', 32)
      where id = (select id from proofs where file_key is not null limit 1)`,
  ],
  'a submission is gone': [
    'delete from review_versions where ctid = (select ctid from review_versions limit 1)',
  ],
  'a ledger entry is there twice': [free('ledger_entries'), again('ledger_entries', `reason = 'gave'`)],
  'a balance is one too high': [
    `update reviewer_states set balance = balance + 1
      where member_id = (select member_id from reviewer_states limit 1)`,
  ],
  'a payment is gone': [
    `delete from membership_changes
      where id = (select id from membership_changes where kind = 'joined' limit 1)`,
  ],
  'a notice is gone': [
    `delete from notices where id = (select id from notices where dedupe_key like 'review.opened:%' limit 1)`,
  ],
  'a mail was not sent': [
    `delete from mails where id = (select id from mails where template = 'account-exists' limit 1)`,
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
