// The share of servable requests that are served: on random snapshots, and on a club's own rows in the
// database.
import { sql } from 'kysely'
import { findBreaches } from '#db/invariants.ts'
import { phases } from '#server/matching/candidates.ts'
import { matchRequests, runPass } from '#server/matching/pass.ts'
import { removeOffers } from './club.ts'
import { openClub } from './matching.ts'
import type { Club } from './matching.ts'
import type { Cell, Section } from './report.ts'
import type { MakeDatabase } from './server.ts'
import { maximumMatching, solveQuality } from './solve-quality.ts'

const members = 1000
/** The shares of pairs of a seller and a present member that have met before. */
const shares = [0.5, 0.7, 0.9, 0.98]

export async function measureQuality(make: MakeDatabase): Promise<Section[]> {
  return [await randomSnapshots(), await ownRows(make)]
}

async function randomSnapshots(): Promise<Section> {
  return {
    title: 'The draw: share of the optimum, random snapshots',
    about:
      'The solver on snapshots of clubs with an open slate, against a maximum matching, which ignores ' +
      'the ban on pairs both ways and so may be more than is possible, and in small clubs against the ' +
      'exact optimum with the ban. Goal: at least 99.9%. The last lines are the time one window takes.',
    columns: ['snapshot', 'figure'],
    rows: (await solveQuality()).map(({ name, figure }) => [name, figure]),
  }
}

async function ownRows(make: MakeDatabase): Promise<Section> {
  const club = await openClub(await make('quality'), members)
  const rows: Cell[][] = []
  let breaches = 0
  try {
    for (const share of shares) {
      await addMeetings(club, share)
      const { requests, present, optimum } = await readOptimum(club)
      const { matched } = await runPass(club.ctx, { phase: phases.present, batch: 500 })
      const further = await matchRequests(club.ctx, { batch: 500 })
      breaches += (await findBreaches(club.ctx.db)).length
      rows.push([
        `${100 * share}%`,
        requests,
        present,
        optimum,
        matched,
        matched + further,
        (100 * matched) / optimum,
        (100 * (matched + further)) / optimum,
      ])
      await removeOffers(club.connection)
    }
  } finally {
    await club.close()
  }
  return {
    title: "The draw: share of the optimum, a club's own rows",
    about:
      `A club of ${members}, every allowed pair of a waiting request and a present member read from the ` +
      'database, and a maximum matching of them; then one pass of up to 500 requests, and passes until ' +
      'nothing more is matched. A pass looks at 32 candidates more than requests, and at up to 512 more ' +
      'while a request is left. Goals in one pass: at least 99.9% at 70%, and 99% at 98%.',
    columns: [
      'pairs that have met',
      'requests',
      'present',
      'maximum',
      'one pass',
      'all passes',
      '% in one pass',
      '% in all',
    ],
    rows,
    notes: [`Invariants broken by these passes: ${breaches}.`],
  }
}

/** Adds a meeting a month ago for this share of the pairs, the same ones in every run. */
async function addMeetings({ ctx }: Club, share: number) {
  await sql`
    insert into pair_uses (lo, hi, held, last_at)
    select distinct least(q.seller_id, s.member_id), greatest(q.seller_id, s.member_id), false,
      clock_timestamp() - interval '30 days'
    from review_queue q join reviewer_states s on s.tier = 0 and s.member_id <> q.seller_id
    where (hashtextextended(
      least(q.seller_id, s.member_id)::text || greatest(q.seller_id, s.member_id)::text, 0
    ) & 65535) < ${Math.round(share * 65_536)}
    on conflict do nothing`.execute(ctx.db)
}

/** The maximum that could be served, by the rules in the database. */
async function readOptimum({ ctx }: Club) {
  const { rows } = await sql<{ queueId: string; sellerId: string; memberId: string; allowed: boolean }>`
    select q.id as queue_id, q.seller_id, s.member_id,
      q.seller_id <> s.member_id and s.balance + s.pending_give < 1 and not exists (select from pair_uses u
        where u.lo = least(q.seller_id, s.member_id) and u.hi = greatest(q.seller_id, s.member_id)) as allowed
    from review_queue q, reviewer_states s
    where q.status = 'queued' and s.tier = 0 and s.available_at <= clock_timestamp()
    order by q.prio_at, q.id, s.member_id`.execute(ctx.db)
  const requests = [...new Map(rows.map((row) => [row.queueId, row.sellerId]))]
  const candidates = [...new Set(rows.map(({ memberId }) => memberId))]
  const allowed = new Set(rows.filter((row) => row.allowed).map((row) => `${row.queueId} ${row.memberId}`))
  const optimum = maximumMatching({
    requests: requests.map(([, sellerId]) => ({ sellerId })),
    candidates: candidates.map((memberId) => ({ memberId })),
    score: (request, candidate) =>
      allowed.has(`${requests[request]?.[0]} ${candidates[candidate]}`) ? 1 : Number.POSITIVE_INFINITY,
  })
  return { requests: requests.length, present: candidates.length, optimum }
}
