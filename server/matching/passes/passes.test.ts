// What a pass costs, on a separate database with real connections and real commits: its statements, its
// windows, and the notices that follow it.
import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { phases } from '../candidates.ts'
import { decodeWindow } from '#contract/draw.ts'
import { drawSpareMost } from '#contract/matching-rules.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests, runPass } from '../pass.ts'
import { askForReview, addProductOf, newMembers, offeredTo, present } from '../testing.ts'
import { writeOfferNotices } from './offer-notices.ts'

const club = useFreshClub()

/** The statements of the club's connections since the test began. */
const statements: string[] = []
const watched = new WeakSet<object>()

beforeEach(async () => {
  club.database.pool.off('acquire', watch).on('acquire', watch)
  await sql`update review_queue set status = 'cancelled', closed_at = clock_timestamp()
    where status = 'queued'`.execute(club.system.db)
  await sql`update reviewer_states s set open_requests = (select count(*) from review_queue q
    where q.seller_id = s.member_id and q.status in ('held', 'offered'))`.execute(club.system.db)
  await sql`update reviewer_states set here_until = null, tier = 9, available_at = 'infinity'
    where open_offer_id is null`.execute(club.system.db)
  statements.length = 0
})

function watch(client: pg.PoolClient) {
  if (watched.has(client)) return
  watched.add(client)
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  // The same overloads as before, to which TypeScript cannot match a function of unknown arguments.
  client.query = ((...given: unknown[]) => {
    statements.push(String(given[0]))
    return query(...given)
  }) as typeof client.query
}

async function ask(sellers: readonly MemberCtx[]) {
  const ids: string[] = []
  for (const seller of sellers) ids.push((await askForReview(seller, await addProductOf(seller, newId()))).id)
  return ids
}

/** These members met a moment ago. */
async function meet(pairs: readonly (readonly [MemberCtx, MemberCtx])[]) {
  const rows = pairs.map(([one, other]) => ({ one: one.who.id, other: other.who.id }))
  await sql`insert into pair_uses (lo, hi, held, last_at)
    select least(one, other), greatest(one, other), false, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(one uuid, other uuid)`.execute(
    club.system.db,
  )
}

async function lastPass() {
  return club.system.db
    .selectFrom('matchPasses')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('passNo', 'desc')
    .executeTakeFirstOrThrow()
}

describe('the statements of a pass', () => {
  test('with nothing to do are one, while a request waits and no member is present', async () => {
    const [seller] = await newMembers(club, 4)
    await ask(seller ? [seller] : [])
    await matchRequests(club.system)
    statements.length = 0
    expect(await matchRequests(club.system)).toBe(0)
    expect(statements).toHaveLength(1)
  })

  test('are at most 14 for 50 requests of whom each may be taken by one member in ten', async () => {
    const sellers = await newMembers(club, 50)
    const here = await newMembers(club, 70)
    await ask(sellers)
    await present(...here)
    await meet(
      sellers.flatMap((seller, at) =>
        here.flatMap((member, place) => ((at * 7 + place) % 10 === 0 ? [] : [[seller, member] as const])),
      ),
    )
    statements.length = 0
    const result = await runPass(club.system, { phase: phases.present, batch: 50 })
    expect(result).toMatchObject({ requests: 50, matched: 50 })
    expect(statements.length).toBeLessThanOrEqual(14)
  })
})

describe('a window that was cut off', () => {
  test('is taken wider in the same pass, and is whole in the evidence', async () => {
    const [seller] = await newMembers(club, 1)
    const here = await newMembers(club, 60)
    await ask(seller ? [seller] : [])
    await present(...here)
    // The members with the longest wait are first in the window. All but the last have met the seller.
    const { rows } = await sql<{ memberId: string }>`select member_id from reviewer_states where tier = 0
      order by band, turn_at, member_id`.execute(club.system.db)
    const last = rows.at(-1)?.memberId
    await meet(here.filter(({ who }) => who.id !== last).map((member) => [seller ?? member, member] as const))
    const { matched } = await runPass(club.system, { phase: phases.present, batch: 50 })
    expect(matched).toBe(1)
    const pass = await lastPass()
    expect(decodeWindow(pass.list!)).toHaveLength(60)
    expect(pass).toMatchObject({ candidates: 60, cutBand: null })
    const chosen = here.find(({ who }) => who.id === last)
    expect(chosen && (await offeredTo(chosen))).toBeDefined()
  })

  test('states the cut of its last width', async () => {
    const [seller] = await newMembers(club, 1)
    const here = await newMembers(club, 140)
    await ask(seller ? [seller] : [])
    await present(...here)
    const { rows } = await sql<{ memberId: string; band: number; turnAt: string }>`
      select member_id, band, turn_at from reviewer_states where tier = 0
      order by band, turn_at, member_id`.execute(club.system.db)
    const early = new Set(rows.slice(0, 100).map(({ memberId }) => memberId))
    await meet(
      here.filter(({ who }) => early.has(who.id)).map((member) => [seller ?? member, member] as const),
    )
    await runPass(club.system, { phase: phases.present, batch: 50 })
    const pass = await lastPass()
    expect(pass).toMatchObject({ candidates: 129, matched: 1, cutBand: rows[128]?.band })
    const hourMs = 3_600_000
    const hourOfLast = Math.floor(Date.parse(rows[128]?.turnAt ?? '') / hourMs) * hourMs
    expect(Date.parse(pass.cutTurn ?? '')).toBe(hourOfLast)
  })
})

describe('the widest window of a pass', () => {
  /** Members who are here, have met the seller, and waited longer for an offer than anyone else. */
  async function crowd(ctx: Ctx, { who }: MemberCtx, size: number) {
    await sql`with joined as (
        insert into members (id, email, email_verified, username)
        select gen_random_uuid(), n || '@crowd.example', true, 'crowd-' || n
        from generate_series(1, ${size}) n
        returning id
      ), paid as (
        insert into memberships (member_id, status, source, current_period_end)
        select id, 'active', 'demo', clock_timestamp() + interval '1 day' from joined
      ), met as (
        insert into pair_uses (lo, hi, held, last_at)
        select least(id, ${who.id}), greatest(id, ${who.id}), false, clock_timestamp() from joined
      )
      insert into reviewer_states (member_id, standing, tier, here_until, last_seen_at, turn_at, audit_key)
      select id, 'in', 0, clock_timestamp() + interval '1 hour', clock_timestamp(),
        clock_timestamp() - interval '1 day', sha256(id::text::bytea) from joined`.execute(ctx.db)
  }

  test.each([
    { barred: drawSpareMost, matched: 1 },
    { barred: drawSpareMost + 1, matched: 0 },
  ])('with $barred who are barred before who is not, offers $matched', async ({ barred, matched }) => {
    const [seller, member] = await newMembers(club, 2)
    if (!seller || !member) throw new Error('unreachable')
    await ask([seller])
    await present(member)
    await undone(club.system, async (ctx) => {
      await crowd(ctx, seller, barred)
      const pass = await runPass(ctx, { phase: phases.present, batch: 50 })
      expect(pass).toMatchObject({ candidates: 1 + drawSpareMost, matched })
    })
  })
})

test('a batch that loses its members to others each time keeps no request behind it waiting', async () => {
  const [seller, behind, member] = await newMembers(club, 3)
  if (!seller || !behind || !member) throw new Error('unreachable')
  // As many as a pass begins again, whom only the first seller has not met.
  const held = await newMembers(club, 5)
  await ask([seller, behind])
  await present(...held, member)
  await meet([[seller, member], ...held.map((one) => [behind, one] as const)])
  await inTransaction(club.system, async (ctx) => {
    await sql`select from reviewer_states where member_id = any(${held.map(({ who }) => who.id)}::uuid[])
      for update`.execute(ctx.db)
    expect(await matchRequests(club.system, { batch: 1 })).toBe(1)
  })
  expect(await offeredTo(member)).toBeDefined()
})

describe('an answer while a pass runs', () => {
  test('of a member whose seller is a candidate waits for nothing', async () => {
    const [seller, reviewer, other] = await newMembers(club, 3)
    if (!seller || !reviewer || !other) throw new Error('unreachable')
    const [queueId = ''] = await ask([seller])
    await present(reviewer)
    await matchRequests(club.system)
    await present(seller)
    await ask([other])
    await inTransaction(club.system, async (ctx) => {
      await meet([[other, seller]])
      const { candidates } = await runPass(ctx, { phase: phases.present, batch: 50 })
      expect(candidates).toBe(1)
      // The pass still holds its candidates. Who waits for a row is refused in the end.
      await respondToOffer(reviewer, { queueId, accept: true })
      await present(seller)
    })
  })
})

describe('the notices of the offers of a pass', () => {
  async function unnoticed() {
    const [seller, reviewer] = await newMembers(club, 2)
    if (!seller || !reviewer) throw new Error('unreachable')
    const [queueId = ''] = await ask([seller])
    await present(reviewer)
    await runPass(club.system, { phase: phases.present, batch: 50 })
    return { reviewer, queueId }
  }

  async function noticesOf({ db, who }: MemberCtx) {
    const rows = await Promise.all([
      db.selectFrom('notices').select('settledAt').where('memberId', '=', who.id).execute(),
      db.selectFrom('mails').select('id').where('memberId', '=', who.id).execute(),
      db
        .selectFrom('activityItems')
        .select('id')
        .where('memberId', '=', who.id)
        .where('title', '=', 'Review offer received')
        .execute(),
    ])
    return rows.map(({ length }) => length)
  }

  test('are written by the next run when the worker died after the pass', async () => {
    const { reviewer } = await unnoticed()
    expect(await noticesOf(reviewer)).toEqual([0, 0, 0])
    await matchRequests(club.system)
    expect(await noticesOf(reviewer)).toEqual([1, 1, 1])
    expect(await club.system.db.selectFrom('offerNoticesDue').selectAll().execute()).toEqual([])
  })

  test('are written once by several workers at once, and again by none', async () => {
    const { reviewer } = await unnoticed()
    await Promise.all([1, 2, 3, 4].map(() => writeOfferNotices(club.system)))
    await writeOfferNotices(club.system)
    expect(await noticesOf(reviewer)).toEqual([1, 1, 1])
  })

  test('are written whole by the next run when the worker died while it wrote them', async () => {
    const { reviewer } = await unnoticed()
    const killed: Ctx = {
      ...club.system,
      kit: {
        ...club.system.kit,
        jobs: {
          ...club.system.kit.jobs,
          // The last step of the notices, the job of their mails, finds its connection gone.
          send: async (ctx) => {
            const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db)
            await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(club.system.db)
            await sql`select`.execute(ctx.db)
          },
        },
      },
    }
    await expect(writeOfferNotices(killed)).rejects.toThrow()
    expect(await noticesOf(reviewer)).toEqual([0, 0, 0])
    await writeOfferNotices(club.system)
    expect(await noticesOf(reviewer)).toEqual([1, 1, 1])
  })

  test('ask for no answer when it was given before they were written', async () => {
    const { reviewer, queueId } = await unnoticed()
    await respondToOffer(reviewer, { queueId, accept: false, reason: 'busy' })
    await matchRequests(club.system)
    expect(await noticesOf(reviewer)).toEqual([0, 0, 1])
  })
})
