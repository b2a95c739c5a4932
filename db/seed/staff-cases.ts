// Three reports that wait for the demo's staff in different states, made by the same functions as in the
// product: one is new, one is taken, and one is decided.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Config } from '#server/kit/config.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs, systemCtx } from '#server/kit/ctx.ts'
import type { Files } from '#server/kit/uploads/files.ts'
import { openLog } from '#server/kit/log.ts'
import { takeCase } from '#server/moderation/cases.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { reportReview } from '#server/moderation/reports.ts'
import { reactions } from '#server/reactions.ts'

const reports = [
  {
    reason: 'other_product',
    explanation: 'The text speaks of a calendar. My product is a budget, and it has no calendar in it.',
  },
  {
    reason: 'personal_data',
    explanation: 'The text names a person who works with me, with a first name and a street.',
  },
  {
    reason: 'disclosure_missing',
    explanation: 'On the listing the first line is missing. The text begins with the second one.',
  },
] as const

/** Reports three reviews that are final since a few days, and handles two of the cases. */
export async function addStaffCases(db: Kysely<DB>, config: Config, files: Files) {
  const jobs = { send: () => Promise.resolve(), stop: () => Promise.resolve() }
  const tx = { savepoints: 0, afterCommit: [], afterRollback: [] }
  const kit = { db, jobs, files, reactions }
  const system: Ctx = { ...systemCtx(kit, config, openLog('seed', 'silent')), tx }
  const { rows } = await sql<{ id: string; sellerId: string }>`
    select distinct on (seller_id) id, seller_id from reviews
    where status = 'verified' and verified_at > clock_timestamp() - interval '20 days'
    order by seller_id, verified_at desc limit ${reports.length}`.execute(db)
  for (const [place, { id, sellerId }] of rows.entries()) {
    const report = reports[place]
    if (report) await reportReview(member(system, sellerId), { id, ...report })
  }
  const cases = await db.selectFrom('cases').select('id').orderBy('openedAt').execute()
  const sam = await db
    .selectFrom('members')
    .select('id')
    .where('username', '=', 'sam')
    .executeTakeFirstOrThrow()
  const staff: MemberCtx = actAs(system, { role: 'support', id: sam.id, sessionId: null, twoFactor: true })
  const [, taken, decided] = cases
  if (taken) await takeCase(staff, { id: taken.id, from: null })
  if (!decided) return
  await takeCase(staff, { id: decided.id, from: null })
  await decideCase(staff, {
    id: decided.id,
    outcome: 'dismissed',
    rule: null,
    findings: 'The listing shows the whole text, and it begins with the disclosure sentence.',
    unfounded: false,
    sanction: false,
    serious: false,
  })
}

const member = (system: Ctx, id: string): MemberCtx =>
  actAs(system, { role: 'user', id, sessionId: null, twoFactor: false })
