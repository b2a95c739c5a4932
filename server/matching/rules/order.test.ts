// Who is drawn among those who may be asked, and which request first, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { lotteryValue, lotteryWeek, memberNumber } from '#contract/draw.ts'
import { drawSpare, rests } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { matchRequests } from '../pass.ts'
import { addProductOf, askForReview, newMembers, offeredTo, present } from '../testing.ts'
import { gave, makeOld, setScene, writeReview } from './testing.ts'
import { undone } from '#server/testing/undone.ts'
import type { Scene } from './testing.ts'

const club = useClub()
const { rotation } = club.config
afterEach(() => void (club.config.rotation = rotation))

const size = 7

type Person = { key: Uint8Array; balance: number; credit: number; refusals: number; turn: number }

const person: fc.Arbitrary<Person> = fc.record({
  key: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  balance: fc.constantFrom(-2, -1, 0, 0, 0, 1),
  // Reviews being written for the member.
  credit: fc.constantFrom(0, 0, 0, 1),
  refusals: fc.constantFrom(0, 0, 9, 10, 12),
  turn: fc.integer({ min: 0, max: 100 }),
})

const even = person.map((one): Person => ({ ...one, balance: 0, credit: 0 }))

/** A review of one of the seller (0) and the members (from 1), so many days ago. */
type Exchange = { reviewer: number; of: number; days: number; lapsed: boolean }

function bandOf({ balance, credit, refusals }: Person) {
  if (balance >= 1) return balance + 4
  const position = balance - credit
  return 2 * (Math.max(position, -2) + 2) + Number(refusals >= rests.manyAfter && position < 0)
}

/** Whether this member would close a circle of three: seller reviewed a third, who reviewed the member. */
function closesCircle(member: number, exchanges: Exchange[], days: number) {
  const counts = exchanges.filter((one) => !one.lapsed && one.reviewer !== one.of && one.days < days)
  return counts.some(
    (given) => given.reviewer === 0 && counts.some((got) => got.reviewer === given.of && got.of === member),
  )
}

type Draw = {
  people: Person[]
  exchanges: Exchange[]
  minutes: number
  /** Its row is new then and it has not waited, but it is as old as the first request. */
  isSuccessor: boolean
  key: Uint8Array
  window: number | null
}

/** Members who are here, and a request. */
async function lottery() {
  const scene = await setScene(club)
  const { id } = await askForReview(scene.seller, scene.product)
  club.config.rotation = { slate: { start: 0.1, doublingMs: 30 * 60_000 } }
  const members = [scene.member, scene.steady, ...(await newMembers(club, size - 2))]
  await present(...members)
  return { scene, id, members }
}

/** Draws, and expects whom the rules name: lowest band first, then no circle, then the lottery. */
async function expectDraw(ctx: Ctx, of: Awaited<ReturnType<typeof lottery>>, draw: Draw) {
  const { people, exchanges, minutes, isSuccessor, key, window } = draw
  const { id, members, scene } = of
  await sql`update rotation_figures set pair_window_days = ${window}`.execute(ctx.db)
  await sql`update review_queue set lottery_key = ${Buffer.from(key)} where id = ${id}`.execute(ctx.db)
  await makeOld(ctx, id, minutes / 60)
  if (isSuccessor)
    await sql`update review_queue set asked_at = created_at, created_at = clock_timestamp(),
      waiting_since = clock_timestamp() where id = ${id}`.execute(ctx.db)
  for (const [at, one] of people.entries()) await writePerson(ctx, members[at]!, one)
  for (const one of exchanges) await writeExchange(ctx, scene, [scene.seller, ...members], one)
  await matchRequests(ctx)

  // A tenth of the club at first, and twice that every half hour.
  const share = 0.1 * 2 ** (minutes / 30)
  const week = lotteryWeek(Date.now())
  const ranked = people
    .map((one, at) => {
      const value = lotteryValue(key, memberNumber(one.key, week))
      const circles = closesCircle(at + 1, exchanges, Math.min(28, window ?? Infinity))
      return { id: members[at]!.who.id, ahead: one.balance >= 1, value, band: bandOf(one), circles }
    })
    .toSorted((a, b) => a.band - b.band || Number(a.circles) - Number(b.circles) || a.value - b.value)
  // The slate grows with the clock: what the next minute would change says nothing about the rule.
  fc.pre(ranked.every(({ value }) => value < share || value >= share * 2 ** (1 / 30)))
  const drawable = ranked.filter(({ ahead, value }) => !ahead && value < share)
  const row = await ctx.db
    .selectFrom('reviewQueue')
    .select('offeredTo')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect({ drawn: row.offeredTo, drawable }).toEqual({ drawn: drawable[0]?.id ?? null, drawable })
}

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('the lowest band in the slate of the request’s age is drawn; the lottery decides in it', async () => {
  const of = await lottery()
  const draws = fc.record({
    people: fc.oneof(
      { weight: 3, arbitrary: fc.array(person, { minLength: size, maxLength: size }) },
      { weight: 1, arbitrary: fc.array(even, { minLength: size, maxLength: size }) },
    ),
    exchanges: fc.constant<Exchange[]>([]),
    minutes: fc.integer({ min: 0, max: 130 }),
    isSuccessor: fc.boolean(),
    key: bytes,
    window: fc.constant(null),
  })
  const property = fc.asyncProperty(draws, (draw) => undone(club.system, (ctx) => expectDraw(ctx, of, draw)))
  // Everyone owes, and all but one refused ten in a row: that one is drawn, whatever the lottery says.
  const examples = of.members.map((_, chosen): [Draw] => [
    {
      people: of.members.map((_, at) => ({
        key: new Uint8Array(32).fill(at),
        balance: -1,
        credit: 0,
        refusals: at === chosen ? 9 : 10,
        turn: at,
      })),
      exchanges: [],
      minutes: 300,
      isSuccessor: false,
      key: new Uint8Array(32).fill(1),
      window: null,
    },
  ])
  await fc.assert(property, { numRuns: examples.length + 40, examples })
})

test('a draw looks at those who have gone longest without an offer, and an offer ends that', async () => {
  const { id, members, scene } = await lottery()
  club.config.rotation = { slate: { start: 1, doublingMs: 30 * 60_000 } }
  const all = [...members, ...(await newMembers(club, drawSpare + 8 - members.length))]
  await present(...all)
  const looked = drawSpare + 1
  const week = lotteryWeek(Date.now())
  const draws = fc.record({
    key: bytes,
    own: fc.uniqueArray(bytes, { minLength: all.length, maxLength: all.length }),
    turns: fc.shuffledSubarray([...all.keys()], { minLength: all.length }),
  })
  const property = fc.asyncProperty(draws, ({ key, own, turns }) =>
    undone(club.system, async (ctx) => {
      await sql`update review_queue set lottery_key = ${Buffer.from(key)} where id = ${id}`.execute(ctx.db)
      for (const [at, { who }] of all.entries())
        await sql`update reviewer_states set audit_key = ${Buffer.from(own[at]!)}, balance = 0,
          turn_at = clock_timestamp() - make_interval(mins => ${200 - turns[at]!})
          where member_id = ${who.id}`.execute(ctx.db)
      await matchRequests(ctx)
      const [drawn] = [...all.entries()]
        .filter(([at]) => turns[at]! < looked)
        .map(([at, { who }]) => ({ id: who.id, value: lotteryValue(key, memberNumber(own[at]!, week)) }))
        .toSorted((one, other) => one.value - other.value)
      const { rows } = await sql<{ id: string; isLast: boolean }>`
        select q.offered_to as id, s.turn_at = (select max(o.turn_at) from reviewer_states o
          where o.member_id <> ${scene.seller.who.id}) as is_last
        from review_queue q join reviewer_states s on s.member_id = q.offered_to
        where q.id = ${id}`.execute(ctx.db)
      expect(rows).toEqual([{ id: drawn?.id, isLast: true }])
    }),
  )
  await fc.assert(property, { numRuns: 12 })
})

/** The seller reviewed the first member, who reviewed the others so many days ago. */
const chain = (exchanges: Omit<Exchange, 'reviewer' | 'of'>[]): Exchange[] => [
  { reviewer: 0, of: 1, days: 1, lapsed: false },
  ...exchanges.map((one, at) => ({ ...one, reviewer: 1, of: at + 2 })),
]

test('who would close a circle of three of the last 28 days comes last in their band', async () => {
  const of = await lottery()
  const { keys, days, lapsed } = {
    keys: fc.array(bytes, { minLength: size, maxLength: size }),
    days: fc.constantFrom(1, 13, 15, 27, 29),
    lapsed: fc.constantFrom(false, false, false, true),
  }
  const others = fc.integer({ min: 0, max: size })
  const met = fc.uniqueArray(fc.record({ reviewer: others, of: others, days, lapsed }), {
    maxLength: 4,
    selector: (one) => `${one.reviewer}:${one.of}`,
  })
  const draws = fc
    .record({
      keys,
      balances: fc.array(fc.constantFrom(0, 0, 0, 0, -1), { minLength: size, maxLength: size }),
      chained: fc.array(fc.record({ days, lapsed }), { maxLength: size - 1 }),
      met,
      key: bytes,
      window: fc.constantFrom(14, 60, null),
    })
    .map(({ keys, balances, chained, met, key, window }) => ({
      people: keys.map((own, at) => ({ key: own, balance: balances[at]!, credit: 0, refusals: 0, turn: at })),
      exchanges: [...chain(chained), ...met],
      minutes: 300,
      isSuccessor: false,
      key,
      window,
    }))
  const property = fc.asyncProperty(draws, (draw) => undone(club.system, (ctx) => expectDraw(ctx, of, draw)))
  // All others but the first reviewed so long ago, or never finished, that they close no circle.
  const open = [
    { window: 60, days: 29, lapsed: false },
    { window: 14, days: 15, lapsed: false },
    { window: null, days: 1, lapsed: true },
  ]
  const examples = open.flatMap(({ window, days, lapsed }) =>
    [1, 2].map((fill): [Draw] => {
      const people = Array.from({ length: size }, (_, at) => ({
        key: new Uint8Array(32).fill(10 * fill + at),
        balance: 0,
        credit: 0,
        refusals: 0,
        turn: at,
      }))
      const exchanges = chain(Array.from({ length: size - 1 }, () => ({ days, lapsed })))
      return [
        { people, exchanges, minutes: 300, isSuccessor: false, key: new Uint8Array(32).fill(fill), window },
      ]
    }),
  )
  await fc.assert(property, { numRuns: examples.length + 20, examples })
})

async function writePerson(ctx: Ctx, { who }: MemberCtx, { key, balance, credit, refusals, turn }: Person) {
  await sql`update reviewer_states set audit_key = ${Buffer.from(key)}, balance = ${balance},
      pending_take = ${credit}, refusals = ${refusals},
      turn_at = clock_timestamp() - make_interval(hours => ${turn})
    where member_id = ${who.id}`.execute(ctx.db)
}

async function writeExchange(ctx: Ctx, scene: Scene, all: MemberCtx[], one: Exchange) {
  if (one.reviewer === one.of) return
  const [reviewer, of] = [all[one.reviewer]!, all[one.of]!]
  const status = one.lapsed ? 'lapsed' : 'pending'
  await writeReview(ctx, scene, { reviewer, of, daysAgo: one.days, status })
}

test('the earliest request is served first; giving in the last 168 hours counts as 12 hours', async () => {
  const scene = await setScene(club)
  await present(scene.member)
  const sellers = await newMembers(club, 3)
  const products = new Map<string, string>()
  for (const seller of sellers) products.set(seller.who.id, await addProductOf(seller, newId()))
  const asking = fc.record({
    gaveHoursAgo: fc.array(fc.constantFrom(1, 167, 169, 400), { maxLength: 2 }),
    hoursAgo: fc.integer({ min: 0, max: 20 }),
  })
  const histories = fc.array(asking, { minLength: sellers.length, maxLength: sellers.length })
  const property = fc.asyncProperty(histories, (history) =>
    undone(club.system, async (ctx) => {
      const places: { id: string; place: number }[] = []
      for (const [at, { gaveHoursAgo, hoursAgo }] of history.entries()) {
        const seller = sellers[at]!
        for (const hours of gaveHoursAgo) await gave(ctx, scene, seller, hours)
        const { id } = await askForReview(seller, products.get(seller.who.id) ?? '')
        // Two that are equally early differ by a minute.
        const age = hoursAgo + at / 60
        await makeOld(ctx, id, age)
        const bonus = gaveHoursAgo.some((hours) => hours < 168) ? 12 : 0
        places.push({ id, place: age + bonus })
      }
      await matchRequests(ctx)
      const [first] = places.toSorted((a, b) => b.place - a.place)
      expect((await offeredTo(scene.member))?.id).toBe(first?.id)
    }),
  )
  await fc.assert(property, { numRuns: 12 })
})
