// Who may ask: by what they gave and received, and by the requests that they took back, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { standingRefusals } from '#contract/membership.ts'
import { revealHours } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { answerOf, askForReview } from '../testing.ts'
import { setScene, writeOffer, writeStanding } from './testing.ts'
import type { Scene } from './testing.ts'

const club = useClub()

/**
 * A request that was taken back so many hours ago. `asked`: while a member was being asked. `declared`: while
 * it waited, since another's declaration had ended its offer. `known`: after the secret of its day was
 * public.
 */
type TakenBack = Record<'asked' | 'declared' | 'known' | 'byStaff' | 'broken', boolean> & { hours: number }

const seldom = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const takenBack = fc.record({
  hours: fc.oneof(fc.constantFrom(0, 23.9, 24.1), fc.double({ min: 0, max: 48, noNaN: true })),
  asked: fc.boolean(),
  declared: seldom(false, true),
  known: seldom(false, true),
  byStaff: fc.boolean(),
  /** It ended as two members had reported its link as broken. */
  broken: seldom(false, true),
})
const plainly = { asked: false, declared: false, known: false, byStaff: false, broken: false }
const histories = fc.record({
  standing: seldom<'in' | 'paused' | 'suspended' | 'unpaid'>('in', 'paused', 'suspended', 'unpaid'),
  /** Given less received; of reviews being written for the seller, and of their open requests, how many. */
  balance: fc.integer({ min: -2, max: 3 }),
  pendingTake: fc.nat({ max: 2 }),
  openRequests: fc.nat({ max: 2 }),
  takenBack: fc.uniqueArray(takenBack, { maxLength: 2, selector: ({ hours }) => Math.round(hours * 10) }),
})
type History = typeof histories extends fc.Arbitrary<infer Each> ? Each : never

const plain: History = { standing: 'in', balance: 0, pendingTake: 0, openRequests: 0, takenBack: [] }
const borders: Partial<History>[] = [
  {},
  { balance: -1 },
  { pendingTake: 1 },
  { openRequests: 1 },
  { balance: 1, pendingTake: 1 },
  { balance: 2, pendingTake: 1, openRequests: 2 },
  ...[23.9, 24.1].flatMap((hours) =>
    [{ asked: true }, { declared: true }, { known: true }].map((how) => ({
      takenBack: [{ hours, ...plainly, ...how }],
    })),
  ),
  { takenBack: [{ hours: 1, ...plainly }] },
  { takenBack: [{ hours: 1, ...plainly, asked: true, byStaff: true }] },
  { takenBack: [{ hours: 1, ...plainly, known: true, broken: true }] },
  { standing: 'paused' },
  { standing: 'suspended' },
  { standing: 'unpaid' },
]

test('a seller asks exactly when they take part, took none back lately and owe at most one', async () => {
  const scene = await setScene(club)
  const property = fc.asyncProperty(histories, (history) =>
    undone(club.system, async (ctx) => {
      await write(ctx, scene, history)
      expect(answersTo(history)).toContain(await answerIn(scene))
    }),
  )
  const examples = borders.map((border): [History] => [{ ...plain, ...border }])
  await fc.assert(property, { numRuns: examples.length + 25, examples })
})

test.each([
  [-1, 'taken'],
  [1, 'TOOK_BACK'],
])(
  'a request that is taken back %i seconds after its secret is public costs: %s',
  async (seconds, expected) => {
    const scene = await setScene(club)
    await undone(club.system, async (ctx) => {
      // The last time that a secret was due: of requests made the day before.
      await sql`update review_queue set closed_at = due.at + make_interval(secs => ${seconds}),
        created_at = due.at - interval '3 hours', lottery_day = (due.at at time zone 'UTC')::date - 1
      from (select date_trunc('day', clock_timestamp() - make_interval(hours => ${revealHours}), 'UTC')
        + make_interval(hours => ${revealHours}) as at) due
      where id = ${scene.former.request}`.execute(ctx.db)
      expect(await answerIn(scene)).toBe(expected)
    })
  },
)

/** What the seller may be answered: `taken`, or the first refusal. */
function answersTo({ standing, balance, pendingTake, openRequests, takenBack }: History): string[] {
  if (standing !== 'in') return Object.keys(standingRefusals)
  const waits = takenBack.some(
    ({ hours, asked, declared, known, byStaff, broken }) =>
      (asked || declared || known) && !byStaff && !broken && hours < 24,
  )
  if (waits) return ['TOOK_BACK']
  return [balance - pendingTake - openRequests >= 0 ? 'taken' : 'BALANCE_SPENT']
}

async function answerIn({ seller, product }: Scene) {
  return (await answerOf(askForReview(seller, product))).code
}

async function write(ctx: Ctx, scene: Scene, history: History) {
  const { id } = scene.seller.who
  await writeStanding(ctx, id, history)
  const reporters = [scene.other, scene.member]
  for (const [at, each] of history.takenBack.entries())
    await writeTakenBack(ctx, scene, each, reporters[at] ?? scene.other)
  await sql`update reviewer_states set balance = ${history.balance}, pending_take = ${history.pendingTake},
    open_requests = ${history.openRequests} where member_id = ${id}`.execute(ctx.db)
}

async function writeTakenBack(ctx: Ctx, scene: Scene, taken: TakenBack, reporter: MemberCtx) {
  const { hours, asked, declared, known, byStaff, broken } = taken
  const state = declared ? 'for a declaration' : 'withdrawn'
  // Not to the member, who could not be asked about the listing again so soon.
  const to = { ...scene, member: scene.other }
  const offerId = await writeOffer(ctx, to, { of: scene.former.request, state, hours })
  // A request that was not being asked about was taken back after its offer had ended.
  await sql`update review_queue q set closed_at = o.responded_at + make_interval(secs => ${asked ? 0 : 60})
    from offers o where o.id = ${offerId} and q.id = o.queue_id`.execute(ctx.db)
  await sql`update review_queue q set lottery_day = (q.closed_at at time zone 'UTC')::date
      - ${known ? 2 : 0}::int
    from offers o where o.id = ${offerId} and q.id = o.queue_id`.execute(ctx.db)
  if (declared)
    await sql`update review_queue q set waits_until = q.closed_at + interval '1 minute',
        resumes_by = q.closed_at + interval '2 minutes'
      from offers o where o.id = ${offerId} and q.id = o.queue_id`.execute(ctx.db)
  if (broken)
    await sql`insert into listing_reports (listing_id, member_id, created_at, closed_at)
      select q.listing_id, ${reporter.who.id}, q.closed_at, q.closed_at
      from offers o join review_queue q on q.id = o.queue_id where o.id = ${offerId}`.execute(ctx.db)
  if (byStaff)
    await sql`insert into staff_actions (id, action, member_id, subject, subject_id)
      select ${newId()}, 'request_cancelled', seller_id, 'request', queue_id from offers
      where id = ${offerId}`.execute(ctx.db)
}
