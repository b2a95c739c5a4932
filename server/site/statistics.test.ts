// The public statistics: measured on the demo club, counted again in plain code, and hidden until there is
// enough.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figureDays, figureMinimum, publicStatistics } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { seedIfEmpty } from '#db/seed/seed.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { readPairWindow } from '#server/matching/pairs.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { measureOpenMetrics } from './figures/open-metrics.ts'
import { getPublicStatistics, keepStars, measure, measureFigures, showable } from './statistics.ts'
import type { Measured } from './statistics.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const club = useFreshClub()
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'evenhand-figures-'))
  await sql`truncate members, marketplaces, lottery_days cascade`.execute(club.database.db)
  await seedIfEmpty(club.connection, { dataDir })
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

describe('the measured statistics', () => {
  test('match a count of the rows one by one', () =>
    undone(club.system, async (ctx) => {
      // An entry of a kind that the demo lacks.
      const { numAffectedRows } = await sql`
        with counted as (select r.id, r.reviewer_id from reviews r
          join standings t on t.member_id = r.reviewer_id and t.standing = 'in'
          join lateral (select coalesce(sum(delta), 0) as sum from ledger_entries
            where member_id = r.reviewer_id) balance on balance.sum between -2 and 1
          where r.status = 'lapsed' limit 1)
        insert into ledger_entries (id, member_id, review_id, reason, delta)
        select gen_random_uuid(), reviewer_id, id, 'appealed', 1 from counted
        union all select gen_random_uuid(), null, null, 'appealed', -1 from counted`.execute(ctx.db)
      expect(numAffectedRows).toBe(2n)
      expect(await measure(ctx)).toEqual(await countedByHand(ctx))
    }))

  test('count a returned review by the stars of its first version, and only final reviews', async () => {
    const { db } = club.database
    const before = await measure(club.system)
    const { rows } = await sql<{ id: string }>`
      select r.id from reviews r join review_versions v on v.review_id = r.id and v.version = 1
      where r.status = 'verified' and v.rating = 4 and r.returns = 0 order by r.id limit 2`.execute(db)
    const [changed = '', dropped = ''] = rows.map(({ id }) => id)
    try {
      await sql`update reviews set rating = 1, returns = 1 where id = ${changed}`.execute(db)
      await sql`insert into review_versions (review_id, version, rating, body, used_for, not_for, ai_assisted)
        select review_id, 2, 1, body, used_for, not_for, ai_assisted
        from review_versions where review_id = ${changed}`.execute(db)
      await sql`update reviews set status = 'reviewed', verified_at = null, verified_by = null,
          confirm_due_at = clock_timestamp() + interval '1 hour'
        where id = ${dropped}`.execute(db)
      const after = await measure(club.system)
      expect(after).toEqual(await countedByHand())
      const of = (measured: Measured) => measured.byStars.map(({ reviews, returned }) => [reviews, returned])
      const expected = of(before).map(([reviews = 0, returned = 0], at) =>
        at === 3 ? [reviews - 1, returned + 1] : [reviews, returned],
      )
      expect(of(after)).toEqual(expected)
    } finally {
      await sql`delete from review_versions where review_id = ${changed} and version = 2`.execute(db)
      await sql`update reviews set rating = 4, returns = 0 where id = ${changed}`.execute(db)
      await sql`update reviews set status = 'verified', verified_at = submitted_at, verified_by = 'time',
          confirm_due_at = null
        where id = ${dropped}`.execute(db)
    }
  })

  test('count a missed review as never submitted, unless it ended without its writer’s fault', () =>
    undone(club.system, async (ctx) => {
      const missed = async () => (await measure(ctx)).missed
      const before = await missed()
      const { rows } = await sql<{ id: string; reviewerId: string }>`update reviews set status = 'lapsed',
          lapsed_at = clock_timestamp() where id = (select id from reviews where status = 'pending' limit 1)
        returning id, reviewer_id`.execute(ctx.db)
      const [review] = rows
      expect(await missed()).toBe(before)
      await sql`insert into strikes (id, member_id, review_id)
        values (gen_random_uuid(), ${review?.reviewerId}, ${review?.id})`.execute(ctx.db)
      expect(await missed()).toBe(before + 1)
      await sql`update strikes set withdrawn_at = clock_timestamp() where review_id = ${review?.id}`.execute(
        ctx.db,
      )
      expect(await missed()).toBe(before)
    }))

  test('are stored and read without measuring, and measured at once when none are stored', async () => {
    const first = await getPublicStatistics(club.system)
    expect(publicStatistics.parse(first)).toEqual(first)
    await measureFigures(club.system)
    await sql`update site_figures set figures = jsonb_set(figures, '{members}', '4711')`.execute(
      club.database.db,
    )
    expect((await getPublicStatistics(club.system)).members).toBe(4711)
    await measureFigures(club.system)
    expect((await getPublicStatistics(club.system)).members).toBe(first.members)
    // Statistics that an older version stored in another shape are measured again.
    await sql`update site_figures set figures = '{"members": "many"}'`.execute(club.database.db)
    expect((await getPublicStatistics(club.system)).members).toBe(first.members)
  })

  test('by stars are one measurement a day, whichever process makes it, and after an update', async () => {
    const { db } = club.database
    await sql`delete from site_figures`.execute(db)
    const kit = { ...club.system.kit }
    const first = await getPublicStatistics({ ...club.system, kit })
    expect(first.starsMeasuredAt).not.toBeNull()
    expect((await measureFigures(club.system)).starsMeasuredAt).toBe(first.starsMeasuredAt)
    await sql`update site_figures set figures = figures - 'members'`.execute(db)
    expect((await measureFigures(club.system)).starsMeasuredAt).toBe(first.starsMeasuredAt)
  })

  test('of the demo club are enough to show every figure except those about decisions', async () => {
    const { byStars, decisions, appeals, ...figures } = await getPublicStatistics(club.system)
    for (const [name, figure] of Object.entries(figures)) expect(figure, name).not.toBeNull()
    expect(byStars?.some(({ counts }) => counts !== null)).toBe(true)
    expect([decisions, appeals]).toEqual([null, null])
    expect(figures.ledger?.sum).toBe(0)
  })
})

describe('the open metrics', () => {
  test('match a count of the rows over full weeks, without counts from 1 to 19', () =>
    undone(club.system, async (ctx) => {
      const { db } = ctx
      // Some were on hold for a day.
      await sql`update review_queue q
        set created_at = created_at + (moment - accepted_at), accepted_at = moment,
          waiting_since = case when n <= 10 then created_at + (moment - accepted_at) + interval '1 day' end
        from (select id, row_number() over (order by id) as n,
            date_trunc('week', clock_timestamp(), 'UTC') - interval '3 days' as moment
          from review_queue where accepted_at is not null order by id limit 25) one
        where one.id = q.id`.execute(db)
      // Some were declined without a reason.
      await sql`insert into decline_history (id, reviewer_id, offer_id, reason, counted,
          cooldown_applied_minutes, created_at)
        select gen_random_uuid(), reviewer_id, id, case when n > 25 then 'busy' end, true, 0,
          date_trunc('week', clock_timestamp(), 'UTC') - interval '2 days'
        from (select id, reviewer_id, row_number() over (order by id) as n from offers order by id limit 30) o
        where not exists (select from decline_history d where d.offer_id = o.id)`.execute(db)
      const open = await measureOpenMetrics(ctx)
      const queue = await db.selectFrom('reviewQueue').selectAll().execute()
      const done = await db.selectFrom('reviews').selectAll().where('status', '=', 'verified').execute()
      const states = await db.selectFrom('reviewerStates').selectAll().execute()
      const standings = await db.selectFrom('standings').selectAll().where('standing', '=', 'in').execute()
      const day = 24 * 3600 * 1000
      const until = mondayOf(Date.now())
      const within = (moment: string | null, weeks: number) =>
        moment !== null && Date.parse(moment) >= until - weeks * 7 * day && Date.parse(moment) < until
      const accepted = queue.filter(({ acceptedAt }) => within(acceptedAt, 12))
      const hidden = (count: number) => (count > 0 && count < 20 ? null : count)
      expect(open?.weeks).toHaveLength(12)
      for (const { week, hours } of open?.weeks ?? []) {
        const waits = accepted
          .filter(({ acceptedAt }) => mondayOf(Date.parse(acceptedAt ?? '')) === Date.parse(week))
          .map(hoursWaited)
          .toSorted((a, b) => a - b)
        expect(hours !== null, week).toBe(waits.length >= 20)
        const middle =
          ((waits[Math.floor((waits.length - 1) / 2)] ?? 0) + (waits[waits.length >> 1] ?? 0)) / 2
        if (hours) expect(Math.abs(hours.half - middle)).toBeLessThan(0.06)
      }
      expect(open?.weeks.some(({ hours }) => hours !== null)).toBe(true)
      const month = done.filter(({ verifiedAt }) => within(verifiedAt, 4)).length
      expect(open?.exchangesPerDay).toBe(month < 20 ? null : Math.round((month / 28) * 10) / 10)
      const kept = done.filter(({ verifiedAt }) => within(verifiedAt, 12))
      const ways = new Set(kept.map(({ sellerId, reviewerId }) => `${sellerId} ${reviewerId}`))
      const both = [...ways].filter((way) => ways.has(way.split(' ').toReversed().join(' '))).length / 2
      expect(open?.reversePairs).toBe(hidden(both))
      const active = new Set(standings.map(({ memberId }) => memberId))
      const balances = states.filter(({ memberId }) => active.has(memberId)).map(({ balance }) => balance)
      expect(open?.largestBalance).toBe(Math.max(...balances.map((balance) => Math.abs(balance ?? 0))))
      const history = await db.selectFrom('declineHistory').selectAll().execute()
      const reasons = Map.groupBy(
        history.filter(({ createdAt }) => within(createdAt, 4)),
        ({ reason }) => reason,
      )
      expect([...reasons.keys()]).toContain(null)
      expect(new Map(open?.declines.map(({ reason, declines }) => [reason, declines]))).toEqual(
        new Map([...reasons].map(([reason, declines]) => [reason, hidden(declines.length)])),
      )
      expect(open?.beacon).toBeNull()
    }))

  test('count the draws that waited for a beacon from 20 on, and the share that got its value', () =>
    undone(club.system, async (ctx) => {
      await sql`insert into beacon_chains (hash, public_key, period, genesis, seed, name)
        values (${Buffer.alloc(32)}, ${Buffer.alloc(96)}, 3, 0, ${Buffer.alloc(32)}, 'test')`.execute(ctx.db)
      const withValues = (requests: number, values: number) =>
        sql`update review_queue q
          set created_at = date_trunc('week', clock_timestamp(), 'UTC') - interval '1 day',
            beacon_chain = ${Buffer.alloc(32)}, beacon_from = clock_timestamp(), beacon_round = 1,
            beacon_signature = case when n <= ${values} then ${Buffer.alloc(48)}::bytea end
          from (select id, row_number() over (order by id) as n from review_queue) one
          where one.id = q.id and n <= ${requests}`.execute(ctx.db)
      await withValues(19, 19)
      expect((await measureOpenMetrics(ctx))?.beacon).toBeNull()
      await withValues(30, 27)
      // Three without it could be found by subtraction.
      expect((await measureOpenMetrics(ctx))?.beacon).toEqual({ requests: null, share: 0.9 })
      await withValues(30, 30)
      expect((await measureOpenMetrics(ctx))?.beacon).toEqual({ requests: 30, share: 1 })
    }))

  test('count circles, and the entries of the ledger in a month that is over, from 20 on', () =>
    undone(club.system, async (ctx) => {
      const found = async (circles: number) => {
        await sql`insert into ring_searches (day, length, members, reviews, circles, by_chance)
          values (current_date + 1, 3, 50, 200, ${circles}, 4)
          on conflict (day, length) do update set circles = excluded.circles`.execute(ctx.db)
        return (await measureOpenMetrics(ctx))?.circles?.found
      }
      expect([await found(0), await found(19), await found(20)]).toEqual([0, null, 20])
      // By how many months ago they were sealed.
      for (const [ago, entries] of [20, 20, 19].entries())
        await sql`insert into ledger_seals (number, day, last_seq, entries, sum, salt, root, head, hash)
          select 10 - ${ago}::int,
            (clock_timestamp() at time zone 'UTC')::date - make_interval(months => ${ago}),
            (select seq from ledger_chain order by seq offset ${ago} limit 1),
            ${entries}, 0, one, one, one, one
          from (select ${Buffer.alloc(32)}::bytea as one) hash`.execute(ctx.db)
      const months = (await measureOpenMetrics(ctx))?.ledger?.map(({ entries }) => entries)
      expect(months).toEqual([null, 20, null])
    }))
})

/** The start of the UTC week that holds this moment, in milliseconds. */
function mondayOf(moment: number) {
  const date = new Date(moment)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
}

type Wait = {
  acceptedAt: string | null
  waitingSince: string | null
  askedAt: string | null
  createdAt: string
}

/** Neither times on hold nor the writing of a review that lapsed count. */
function hoursWaited({ acceptedAt, waitingSince, askedAt, createdAt }: Wait) {
  return (Date.parse(acceptedAt ?? '') - Date.parse(waitingSince ?? askedAt ?? createdAt)) / 3_600_000
}

/** The same figures, counted from all rows in plain JavaScript. */
async function countedByHand({ db }: Pick<Ctx, 'db'> = club.system): Promise<Measured> {
  const states = await db.selectFrom('reviewerStates').selectAll().execute()
  const queue = await db.selectFrom('reviewQueue').selectAll().execute()
  const offers = await db.selectFrom('offers').selectAll().execute()
  const reviews = await db.selectFrom('reviews').selectAll().execute()
  const versions = await db.selectFrom('reviewVersions').selectAll().where('version', '=', 1).execute()
  const ledger = await db.selectFrom('ledgerEntries').selectAll().execute()
  const strikes = await db.selectFrom('strikes').selectAll().execute()
  const cases = await db.selectFrom('cases').selectAll().execute()
  const decisions = await db.selectFrom('caseDecisions').selectAll().execute()
  const since = Date.now() - figureDays * 24 * 3600 * 1000
  const lately = (moment: string | null) => moment !== null && Date.parse(moment) > since
  const hours = queue
    .filter(({ acceptedAt }) => lately(acceptedAt))
    .map(hoursWaited)
    .toSorted((a, b) => a - b)
  const quantile = (share: number) => {
    const place = share * (hours.length - 1)
    const [low = 0, high = low] = [hours[Math.floor(place)], hours[Math.ceil(place)]]
    return low + (high - low) * (place - Math.floor(place))
  }
  const finals = reviews
    .filter(({ status }) => status === 'verified' || status === 'lapsed')
    .map((review) => ({ ...review, first: versions.find(({ reviewId }) => reviewId === review.id) }))
  const isAtFault = ({ id }: { id: string }) =>
    strikes.some(({ reviewId, withdrawnAt }) => reviewId === id && withdrawnAt === null)
  const ended = finals
    .filter(({ verifiedAt, lapsedAt }) => lately(verifiedAt ?? lapsedAt))
    .filter((review) => review.status === 'verified' || isAtFault(review))
  const onTime = ended.filter(
    ({ purchasedAt, purchaseDueAt, dueAt, first }) =>
      first &&
      purchasedAt !== null &&
      Date.parse(purchasedAt) <= Date.parse(purchaseDueAt) &&
      Date.parse(first.createdAt) <= Date.parse(dueAt),
  ).length
  const missed = ended.filter(({ first }) => !first).length
  const answered = (state: string) =>
    offers.filter((offer) => offer.state === state && lately(offer.respondedAt)).length
  const judged = finals.filter(
    ({ id, status }) => status === 'verified' || strikes.some(({ reviewId }) => reviewId === id),
  )
  const decidedBy = (limit: number) =>
    decisions.filter(({ at, caseId }) => {
      const asked = cases.find(({ id }) => id === caseId)?.openedAt ?? ''
      return (Date.parse(at) - Date.parse(asked)) / 3_600_000 <= limit
    }).length
  const waiting = cases.filter(({ dueAt }) => dueAt !== null)
  const differences = states
    .filter(({ standing }) => standing === 'in')
    .map(({ memberId }) =>
      ledger
        .filter(
          (entry) => entry.memberId === memberId && ['gave', 'appealed', 'received'].includes(entry.reason),
        )
        .reduce((sum, { delta }) => sum + delta, 0),
    )
    .map((difference) => Math.max(-2, Math.min(2, difference)))
  return {
    measuredAt: expect.any(String) as unknown as string,
    members: states.filter(({ standing }) => standing === 'in').length,
    pairWindow: await readPairWindow(club.system),
    exchangesLately: queue.filter(({ status, completedAt }) => status === 'completed' && lately(completedAt))
      .length,
    exchangesEver: queue.filter(({ status }) => status === 'completed').length,
    waitingRequests: hours.length,
    medianHours: expect.closeTo(quantile(0.5), 6) as unknown as number,
    ninetiethHours: expect.closeTo(quantile(0.9), 6) as unknown as number,
    waitingNow: queue.filter(({ status }) => status === 'queued' || status === 'offered').length,
    accepted: answered('accepted'),
    declined: answered('declined'),
    expired: answered('expired'),
    onTime,
    late: ended.length - onTime - missed,
    missed,
    given: ledger.filter(({ reason }) => reason === 'gave').length,
    received: ledger.filter(({ reason }) => reason === 'received').length,
    settled: ledger.filter(({ reason }) => reason !== 'gave' && reason !== 'received').length,
    ledgerSum: ledger.reduce((sum, { delta }) => sum + delta, 0),
    byStars: [1, 2, 3, 4, 5].map((stars) => {
      const of = judged.filter(({ first }) => first?.rating === stars)
      return {
        stars,
        reviews: of.length,
        returned: of.filter(({ returns }) => returns > 0).length,
        removed: of.filter(({ status, removedAt }) => status === 'lapsed' || removedAt !== null).length,
      }
    }),
    decisions: decisions.length,
    decisionMedianHours: decisions.length === 0 ? null : (expect.any(Number) as unknown as number),
    decisionSteps: [
      { withinHours: 12, decisions: decidedBy(12) },
      { withinHours: 24, decisions: decidedBy(24) - decidedBy(12) },
      { withinHours: 48, decisions: decidedBy(48) - decidedBy(24) },
      { withinHours: null, decisions: decisions.length - decidedBy(48) },
    ],
    undecided: waiting.length,
    overdue: waiting.filter(({ dueAt }) => Date.parse(dueAt ?? '') <= Date.now()).length,
    upheld: 0,
    overturned: 0,
    spread: [-2, -1, 0, 1, 2].map((difference) => ({
      difference,
      members: differences.filter((each) => each === difference).length,
    })),
  }
}

describe('a figure', () => {
  const some: Measured = {
    measuredAt: '2026-11-21T05:00:00.000000Z',
    members: 20,
    exchangesLately: 3,
    exchangesEver: 20,
    waitingRequests: 20,
    medianHours: 1.5,
    ninetiethHours: 9,
    waitingNow: 2,
    accepted: 10,
    declined: 6,
    expired: 4,
    onTime: 15,
    late: 3,
    missed: 2,
    given: 20,
    received: 20,
    settled: 0,
    ledgerSum: 0,
    byStars: [1, 2, 3, 4, 5].map((stars) => ({
      stars,
      reviews: stars === 5 ? 20 : 19,
      returned: stars === 5 ? 20 : 5,
      removed: 19,
    })),
    decisions: 20,
    decisionMedianHours: 9.5,
    decisionSteps: [
      { withinHours: 12, decisions: 15 },
      { withinHours: 24, decisions: 3 },
      { withinHours: 48, decisions: 1 },
      { withinHours: null, decisions: 1 },
    ],
    undecided: 2,
    overdue: 1,
    upheld: 20,
    overturned: 19,
    spread: [{ difference: 0, members: 20 }],
  }
  const names = [
    'members',
    'exchanges',
    'waiting',
    'offers',
    'deadlines',
    'byStars',
    'decisions',
    'appeals',
    'ledger',
    'spread',
  ] as const
  const hidden = (measured: Measured) => {
    const shown = showable(measured)
    return names.filter((name) => shown[name] === null)
  }

  test('is shown at exactly its minimum and hidden one below it', () => {
    expect(hidden(some)).toEqual([])
    expect(hidden({ ...some, members: 19 })).toEqual([...names])
    expect(hidden({ ...some, exchangesEver: 19 })).toEqual(['exchanges'])
    expect(hidden({ ...some, waitingRequests: 19 })).toEqual(['waiting'])
    expect(hidden({ ...some, expired: 3 })).toEqual(['offers'])
    expect(hidden({ ...some, late: 2 })).toEqual(['deadlines'])
    expect(hidden({ ...some, given: 19 })).toEqual(['ledger'])
    const few = some.byStars.map((row) => ({ ...row, reviews: row.stars === 5 ? 19 : 0 }))
    expect(hidden({ ...some, byStars: few })).toEqual(['byStars'])
    expect(hidden({ ...some, decisions: 19 })).toEqual(['decisions'])
    expect(hidden({ ...some, upheld: 10, overturned: 9 })).toEqual(['appeals'])
  })

  test('of a single rating is shown with twenty reviews or more', () => {
    expect(showable(some).byStars?.map(({ counts }) => counts?.reviews ?? null)).toEqual([
      null,
      null,
      null,
      null,
      20,
    ])
  })

  test('of a rating that would be hidden alone is not found by subtraction', () => {
    const shownOf = (reviews: number[]) =>
      showable({
        ...some,
        byStars: some.byStars.map((row, at) => ({ ...row, reviews: reviews[at] ?? 0 })),
      }).byStars?.map(({ counts }) => counts?.reviews ?? null)
    expect(shownOf([19, 40, 30, 25, 60])).toEqual([null, 40, 30, null, 60])
    expect(shownOf([19, 40, 7, 25, 60])).toEqual([null, 40, null, 25, 60])
    expect(shownOf([20, 40, 30, 25, 60])).toEqual([20, 40, 30, 25, 60])
  })

  test('says nothing about fewer than twenty returns, removals or appeals of one kind', () => {
    const shown = showable(some)
    expect(shown.byStars?.at(-1)).toEqual({ stars: 5, counts: { reviews: 20, returned: 20, removed: null } })
    expect(shown.appeals).toEqual({ upheld: 20, overturned: null })
    const none = some.byStars.map((row) => ({ ...row, returned: 0 }))
    expect(showable({ ...some, byStars: none }).byStars?.at(-1)?.counts?.returned).toBeNull()
  })

  test('that splits what it counts has no counts while one of them is 1 to 19, but its share', () => {
    const few = showable({
      ...some,
      accepted: 120,
      declined: 61,
      expired: 19,
      onTime: 20,
      late: 0,
      missed: 0,
    })
    expect(few.offers).toEqual({ acceptedShare: 0.6, perAcceptance: 1.7, counts: null })
    expect(few.deadlines).toEqual({ onTimeShare: 1, counts: { onTime: 20, late: 0, missed: 0 } })
    const many = showable({
      ...some,
      accepted: 120,
      declined: 60,
      expired: 20,
      onTime: 299,
      late: 0,
      missed: 20,
    })
    expect(many.offers?.counts).toEqual({ accepted: 120, declined: 60, expired: 20 })
    expect(many.deadlines).toEqual({ onTimeShare: 0.94, counts: { onTime: 299, late: 0, missed: 20 } })
    const almost = showable({ ...some, onTime: 1999, late: 0, missed: 1 })
    expect(almost.deadlines?.onTimeShare).toBe(0.99)
    const steps = (...counts: number[]) =>
      counts.map((decisions, at) => ({ withinHours: [12, 24, 48][at] ?? null, decisions }))
    const decided = { ...some, decisions: 60 }
    expect(showable({ ...decided, decisionSteps: steps(20, 20, 1, 19) }).decisions).toMatchObject({
      inTimeShare: 0.68,
      steps: null,
    })
    expect(showable({ ...decided, decisionSteps: steps(20, 20, 20, 0) }).decisions).toMatchObject({
      inTimeShare: 1,
      steps: steps(20, 20, 20, 0),
    })
    const columns = [0, 25, 20, 35, 20].map((members, at) => ({ difference: at - 2, members }))
    expect(showable({ ...some, spread: columns }).spread).toEqual({ withinOneShare: 0.8, columns })
    const one = columns.map((column) => (column.difference === 2 ? { ...column, members: 1 } : column))
    expect(showable({ ...some, spread: one }).spread).toEqual({ withinOneShare: 0.99, columns: null })
  })

  test('of few waiting, overdue, recent or settled is hidden, but not when there are none', () => {
    const shown = (count: number) => {
      const counts = { waitingNow: count, undecided: count, overdue: count, settled: count }
      const { waiting, decisions, ledger, exchanges } = showable({
        ...some,
        ...counts,
        exchangesLately: count,
      })
      return [
        waiting?.waitingNow,
        decisions?.waitingNow,
        decisions?.overdueNow,
        ledger?.settled,
        exchanges?.lastDays,
      ]
    }
    for (const count of [0, 20, 500]) expect(shown(count)).toEqual(Array(5).fill(count))
    for (const count of [1, 19]) expect(shown(count)).toEqual(Array(5).fill(null))
  })

  test('by stars stays for the day, so that no single review can be seen in its steps', () => {
    const first = showable(some)
    const byStars = some.byStars.map((row) => ({ ...row, reviews: row.reviews + 1 }))
    const later = showable({ ...some, members: 21, byStars, measuredAt: '2026-11-21T23:59:59.000000Z' })
    expect(keepStars(first, later)).toEqual({
      ...later,
      byStars: first.byStars,
      starsMeasuredAt: first.measuredAt,
    })
    const tomorrow = showable({ ...some, byStars, measuredAt: '2026-11-22T00:00:01.000000Z' })
    expect(keepStars(first, tomorrow)).toEqual(tomorrow)
    const shrunk = showable({ ...some, members: 19 })
    expect(keepStars(first, shrunk).byStars).toBeNull()
  })

  test('is never shown below its minimum, and never differs from what was measured', () => {
    const count = fc.nat({ max: 120 })
    const measured = fc.record({
      members: count,
      exchangesLately: count,
      exchangesEver: count,
      waitingRequests: count,
      waitingNow: count,
      accepted: count,
      declined: count,
      expired: count,
      onTime: count,
      late: count,
      missed: count,
      given: count,
      received: count,
      settled: count,
      byStars: fc.tuple(count, count, count, count, count).map((counts) =>
        counts.map((reviews, at) => ({
          stars: at + 1,
          reviews,
          returned: Math.floor(reviews / 3),
          removed: Math.floor(reviews / 5),
        })),
      ),
    })
    fc.assert(
      fc.property(measured, (given) => {
        const all: Measured = { ...some, ...given }
        const shown = showable(all)
        expect(publicStatistics.parse(shown)).toEqual(shown)
        if (all.members < figureMinimum.members) {
          expect(names.filter((name) => shown[name] !== null)).toEqual([])
          return
        }
        expect(shown.members).toBe(all.members)
        expect(shown.exchanges === null).toBe(all.exchangesEver < figureMinimum.exchanges)
        const { accepted, declined, expired } = all
        const offers = accepted + declined + expired
        expect(shown.offers === null).toBe(offers < figureMinimum.offers)
        if (shown.offers?.counts) expect(shown.offers.counts).toEqual({ accepted, declined, expired })
        if (shown.offers) {
          expect(Math.abs(shown.offers.acceptedShare - accepted / offers)).toBeLessThanOrEqual(0.0100001)
        }
        expect(countsIn(shown).filter((count) => count > 0 && count < 20)).toEqual([])
        const hiddenRows = shown.byStars?.filter((row) => row.counts === null) ?? []
        expect(hiddenRows).not.toHaveLength(1)
        const few = all.byStars.filter(({ reviews }) => reviews < figureMinimum.reviewsOfOneRating)
        for (const [at, row] of (shown.byStars ?? []).entries()) {
          const { stars = 0, reviews = 0, returned = 0, removed = 0 } = all.byStars[at] ?? {}
          const counts = {
            reviews,
            returned: returned < 20 ? null : returned,
            removed: removed < 20 ? null : removed,
          }
          // One that would be hidden alone takes another one along.
          if (few.length === 1 && row.counts === null) continue
          expect(row).toEqual({
            stars,
            counts: reviews >= figureMinimum.reviewsOfOneRating ? counts : null,
          })
        }
      }),
    )
  })
})

/** Every count that a figure shows, without the names of its steps and columns. */
function countsIn({ exchanges, waiting, offers, deadlines, decisions, ledger, spread }: PublicStatistics) {
  const counts = [
    exchanges?.lastDays,
    exchanges?.ever,
    waiting?.requests,
    waiting?.waitingNow,
    ...Object.values(offers?.counts ?? {}),
    ...Object.values(deadlines?.counts ?? {}),
    decisions?.made,
    ...(decisions?.steps ?? []).map((step) => step.decisions),
    decisions?.waitingNow,
    decisions?.overdueNow,
    ledger?.given,
    ledger?.received,
    ledger?.settled,
    ...(spread?.columns ?? []).map(({ members }) => members),
  ]
  return counts.filter((count) => typeof count === 'number')
}
