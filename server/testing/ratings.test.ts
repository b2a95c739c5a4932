// Nothing depends on stars: the same history with every rating changed leaves the same
// rows in every table. Histories are generated, and run by the product's own functions. Clock and random
// numbers start again for each run, so that two runs differ by the ratings alone.
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { withDisclosure } from '#contract/review-text.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { analyticsJobs } from '#server/analytics/jobs.ts'
import { matchingJobs } from '#server/matching/jobs.ts'
import { setOfferAside, respondToOffer } from '#server/matching/offers.ts'
import { askForReview, addProductOf, present, productOf } from '#server/matching/testing.ts'
import { membershipJobs } from '#server/membership/jobs.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { moderationJobs } from '#server/moderation/jobs.ts'
import { reportReview } from '#server/moderation/reports.ts'
import { decided } from '#server/moderation/testing.ts'
import { reviewJobs } from '#server/reviews/jobs.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { proveByOrder } from '#server/reviews/proofs.ts'
import { openCoupon, saveDraft, submitReview } from '#server/reviews/reviews.ts'
import { disclosure } from '#server/reviews/testing.ts'
import { useClub } from './club.ts'

const club = useClub()
const people = ['anna', 'ben', 'clara', 'dario', 'finn'] as const

/** What a member may do next: answer an offer, buy, submit, or decide about a received review. */
type Move = {
  do: 'move'
  /** Which of the things that wait for a member, counted from the oldest. */
  of: number
  answer: 'yes' | 'busy' | 'similar' | 'conflict' | 'aside'
  rating: number
  text: number
  decision: 'confirm' | 'return'
}
type Step = Move | { do: 'ask' } | { do: 'wait'; hours: number }

const move = fc.record({
  do: fc.constant('move'),
  of: fc.nat(9),
  answer: fc.constantFrom('yes', 'yes', 'yes', 'yes', 'yes', 'busy', 'similar', 'conflict', 'aside'),
  rating: fc.integer({ min: 1, max: 5 }),
  text: fc.nat(40),
  decision: fc.constantFrom('confirm', 'confirm', 'return'),
})
const step = fc.oneof(
  { weight: 12, arbitrary: move },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.constantFrom(1, 7, 25, 73, 170) }) },
)

/** Everybody asks first, so that every history has exchanges. */
const history = fc
  .array(step, { minLength: 36, maxLength: 36 })
  .map((steps) => [{ do: 'ask' }, ...steps] as Step[])

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  syncBuiltinESMExports()
})

test('the same history with every rating changed has the same outcomes', { timeout: 300_000 }, async () => {
  await moveClockByHand()
  const seen: Record<string, number> = {}
  const runs = Number(process.env.RATING_RUNS ?? 4)
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const asWritten = await run(steps, (stars) => stars)
      const changed = await run(steps, (stars) => (stars % 5) + 1)
      for (const { status, returns } of asWritten.reviews)
        for (const what of [status, ...(returns > 0 ? ['a return'] : [])]) seen[what] = (seen[what] ?? 0) + 1
      expect(changed.answers).toEqual(asWritten.answers)
      expect(changed.tables).toEqual(asWritten.tables)
    }),
    { seed: 20_261_122, numRuns: runs, endOnFailure: true },
  )
  // Else the histories would say nothing.
  for (const what of ['verified', 'lapsed', 'a return']) expect(seen).toHaveProperty(what)
})

type Outcome = {
  answers: string[]
  tables: Record<string, unknown>
  reviews: { status: string; returns: number }[]
}

async function run(steps: Step[], stars: (rating: number) => number): Promise<Outcome> {
  const { db } = club.system
  await sql`savepoint history`.execute(db)
  await startAgain()
  await addProductOf(await club.as('finn'), 'finn')
  await everybodyVisits()
  const answers: string[] = []
  for (const each of steps) {
    await pass('1 second')
    answers.push(`${each.do} ${await refusalOr(() => act(each, stars))}`)
    if (each.do !== 'ask') await everybodyVisits()
    await runJobs(['match-requests'])
  }
  const tables = await everything()
  const reviews = await db.selectFrom('reviews').select(['status', 'returns']).execute()
  await sql`rollback to savepoint history`.execute(db)
  return { answers, tables, reviews }
}

/** Runs in a transaction of its own, as at the edge. Returns the refusal's code, if it was refused. */
async function refusalOr(work: () => Promise<string>): Promise<string> {
  try {
    return await inTransaction(club.system, work)
  } catch (error) {
    if (isRefusal(error)) return error.code
    throw error
  }
}

async function act(step: Step, stars: (rating: number) => number): Promise<string> {
  if (step.do === 'wait') {
    await pass(`${step.hours} hours`)
    await runJobs([])
    return 'done'
  }
  if (step.do === 'ask') return askAll()
  return goOn(step, stars(step.rating))
}

/** Every member asks for a review, and gets it or the refusal that they get. */
async function askAll() {
  const answers: string[] = []
  for (const who of people) {
    const me = await club.as(who)
    const productId = await productOf(me)
    answers.push(await refusalOr(async () => (await askForReview(me, productId)).status))
  }
  return answers.join(' ')
}

async function everybodyVisits() {
  for (const who of people) await present(await club.as(who))
}

async function goOn(step: Move, rating: number) {
  const waiting = [...(await openOffers()), ...(await openReviews())]
  const thing = waiting[step.of % waiting.length]
  if (!thing) return 'nothing to do'
  if ('offer' in thing) return answerOffer(thing.offer, step)
  return thing.review.status === 'reviewed'
    ? decide(thing.review, step.decision)
    : write(thing.review, step.text, rating)
}

async function openOffers() {
  const rows = await club.system.db
    .selectFrom('offers')
    .select(['queueId', 'reviewerId'])
    .where('state', '=', 'open')
    .orderBy('offeredAt')
    .orderBy('id')
    .execute()
  return rows.map((offer) => ({ offer }))
}

async function openReviews() {
  const rows = await club.system.db
    .selectFrom('reviews')
    .select(['id', 'status', 'draftSavedAt', 'reviewerId', 'sellerId'])
    .where('status', 'in', ['pending', 'purchased', 'reviewed', 'returned'])
    .orderBy('acceptedAt')
    .orderBy('id')
    .execute()
  return rows.map((review) => ({ review }))
}

type Offer = Awaited<ReturnType<typeof openOffers>>[number]['offer']
type Review = Awaited<ReturnType<typeof openReviews>>[number]['review']

async function answerOffer({ queueId, reviewerId }: Offer, { answer }: Move) {
  const me = actorOf(reviewerId)
  if (answer === 'aside') await setOfferAside(me, queueId)
  else if (answer === 'yes') await respondToOffer(me, { queueId, accept: true })
  else await respondToOffer(me, { queueId, accept: false, reason: answer })
  return answer
}

/** The next thing to do for a review: buy, or submit. */
async function write({ id, status, reviewerId, draftSavedAt }: Review, text: number, rating: number) {
  const me = actorOf(reviewerId)
  if (status === 'pending') {
    await openCoupon(me, id)
    await proveByOrder(me, { id, orderId: orderNumberOf(id), paidCents: 50 })
    return 'bought'
  }
  const draft = {
    rating,
    text: withDisclosure(disclosure, textOf(text)),
    aiAssisted: false,
    usedFor: 'Planning the weeks of our household.',
    notFor: 'People who plan on the phone.',
  }
  await saveDraft(me, { id, draft, basedOn: draftSavedAt })
  await pass('11 minutes')
  await submitReview(me, { id, ...draft, attested: true, posted: true, postedLink: null })
  return 'submitted'
}

async function decide({ id, sellerId }: Review, decision: Move['decision']) {
  const me = actorOf(sellerId)
  const explanation = 'I looked three times and it is not there.'
  if (decision === 'confirm') await confirmReview(me, id)
  else await reportAndReturn(me, { id, reason: 'not_visible', explanation })
  return decision
}

/** The seller reports a review, and our staff returns it for an edit. */
async function reportAndReturn(me: MemberCtx, report: Parameters<typeof reportReview>[1]) {
  const { reportId } = await reportReview(me, report)
  const { caseId } = await me.db
    .selectFrom('reports')
    .select('caseId')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow()
  await decideCase(await club.as('sam'), decided(caseId, { outcome: 'returned', rule: report.reason }))
}

/** 48 made-up words that differ from those of all other texts. */
function textOf(n: number) {
  const letters = Array.from({ length: 48 }, (_, at) =>
    createHash('sha256').update(`${n}:${at}`).digest('hex'),
  )
  return letters
    .map((hex) => hex.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '').slice(0, 6))
    .join(' ')
}

function actorOf(id: string): MemberCtx {
  return actAs(club.system, { id, role: 'user', sessionId: null, twoFactor: false })
}

const orderNumberOf = (id: string) =>
  String(Number.parseInt(id.slice(-12), 16))
    .padStart(8, '1')
    .slice(0, 15)

/** Without the one that looks through the files of proofs: no history has one. */
const jobs = [...membershipJobs, ...matchingJobs, ...reviewJobs, ...moderationJobs, ...analyticsJobs].filter(
  ({ name, cron }) => cron !== undefined && name !== 'sweep-orphan-files',
)

/** Runs the jobs of these names; every job without names. */
async function runJobs(names: string[]) {
  for (const job of jobs) if (names.length === 0 || names.includes(job.name)) await job.run(club.system, [{}])
}

/** The rows of every table without ratings and random addresses, as text in a fixed order. */
async function everything(): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ name: string; hasDraft: boolean }>`
    select c.relname as name, c.relname = 'reviews' as has_draft from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(club.system.db)
  const found: Record<string, unknown> = {}
  for (const { name, hasDraft } of rows) {
    const draft = hasDraft ? sql`|| jsonb_build_object('draft', t.draft - 'rating')` : sql``
    const { rows: all } = await sql<{ row: string }>`
      select ((to_jsonb(t) - array['rating', 'receipt_key', 'public_id']) ${draft})::text as row
        from ${sql.table(name)} t order by 1`.execute(club.system.db)
    found[name] = all.map(({ row }) => row)
  }
  return found
}

/** From now on the database's clock stands still, in column defaults too, and moves by `pass` alone. */
async function moveClockByHand() {
  const { db } = club.system
  await sql`create schema by_hand`.execute(db)
  await sql`create function by_hand.clock_timestamp() returns timestamptz stable language sql
    return transaction_timestamp() + current_setting('by_hand.passed')::interval`.execute(db)
  await sql`set local search_path = by_hand, pg_catalog, public`.execute(db)
  await sql`set local by_hand.passed = '0'`.execute(db)
  const { rows } = await sql<{ name: string; column: string }>`
    select c.relname as name, a.attname as column from pg_attrdef d
    join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and a.attgenerated = ''
      and pg_get_expr(d.adbin, d.adrelid) like '%clock_timestamp()'`.execute(db)
  for (const { name, column } of rows)
    await sql`alter table ${sql.table(name)} alter column ${sql.ref(column)}
      set default by_hand.clock_timestamp()`.execute(db)
}

async function pass(duration: string) {
  await sql`select set_config('by_hand.passed',
    (current_setting('by_hand.passed')::interval + ${duration}::interval)::text, true)`.execute(
    club.system.db,
  )
}

/** Clock, sequences and random numbers as at the beginning of every run. */
async function startAgain() {
  const { db } = club.system
  await sql`select set_config('by_hand.passed', '0', true)`.execute(db)
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, 1000000)
    from pg_sequences where schemaname = 'public'`.execute(db)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 12) })
  let count = 0
  vi.spyOn(crypto, 'randomBytes').mockImplementation((size: number) => {
    count += 1
    const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, at) =>
      createHash('sha256').update(`${count}:${at}`).digest(),
    )
    return Buffer.concat(blocks).subarray(0, size)
  })
  syncBuiltinESMExports()
}
