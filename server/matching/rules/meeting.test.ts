// Who may be asked: the rules at a draw, at a nudge, at an acceptance and at a request, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { standingRefusals } from '#contract/membership.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { getBalance } from '../reads.ts'
import { nudgeMembers } from '../presence/nudges.ts'
import { answerOf, askForReview, newMembers, offeredTo, present } from '../testing.ts'
import { refreshTiers } from '../tiers.ts'
import { barsOf, examples, histories, isWithin } from './histories.ts'
import type { Bar, History } from './histories.ts'
import { makeOld, receive, setScene, writeAge, writeHistory } from './testing.ts'
import { undone } from '#server/testing/undone.ts'
import type { Scene } from './testing.ts'

const club = useClub()

/** Tries each rule at both sides of its border, then histories at random. */
const all = { numRuns: examples.length + 20, examples }

async function sceneWithRequest() {
  const scene = await setScene(club)
  const { member, seller, other, steady } = scene
  const request = await askForReview(seller, scene.product)
  const old = await askForReview(other, scene.elsewhere)
  await sql`update review_queue set status = 'held' where id = ${old.id}`.execute(club.system.db)
  await makeOld(club.system, old.id, 96)
  for (const { who } of [member, seller])
    await sql`insert into conflicts (lo, hi, declared_by)
      values (least(${who.id}::uuid, ${other.who.id}::uuid),
        greatest(${who.id}::uuid, ${other.who.id}::uuid), ${who.id})`.execute(club.system.db)
  await sql`update reviewer_states set available_at = 'infinity', tier = 9
    where member_id = ${steady.who.id}`.execute(club.system.db)
  await present(seller)
  return { ...scene, request, old }
}

/** Writes the history of the member and of the request, which waits. */
async function write(ctx: Ctx, scene: Awaited<ReturnType<typeof sceneWithRequest>>, history: History) {
  await writeAge(ctx, scene.request.id, history)
  await writeHistory(ctx, scene, history)
  if (history.crowded)
    await sql`update review_queue set status = 'queued' where id = ${scene.old.id}`.execute(ctx.db)
  await sql`update review_queue set prio_at = prio_at - make_interval(hours => ${history.ahead ? 12 : 0}),
    waits_until = coalesce(clock_timestamp()
    + make_interval(hours => ${history.waits}::int), '-infinity') where id = ${scene.request.id}`.execute(
    ctx.db,
  )
}

test('a request is offered to a member here or away long enough exactly when no rule bars it', async () => {
  const scene = await sceneWithRequest()
  const property = fc.asyncProperty(histories, (history) =>
    undone(club.system, async (ctx) => {
      await write(ctx, scene, history)
      await matchRequests(ctx)
      const bars = barsOf(history)
      const drawn = (await offeredTo(scene.member)) !== undefined
      expect({ drawn, bars }).toEqual({ drawn: bars.length === 0, bars })
    }),
  )
  await fc.assert(property, all)
})

test('a member is nudged about a request exactly when away, and no rule but presence bars it', async () => {
  const scene = await sceneWithRequest()
  const property = fc.asyncProperty(histories, (history) => {
    const { here, age, seen } = history
    const away = { ...history, here: here === 'here' ? 'away' : here } as const
    return undone(club.system, async (ctx) => {
      await write(ctx, scene, away)
      await refreshTiers(ctx, [scene.member.who.id])
      const bars = barsOf(away).filter((bar) => bar !== 'presence')
      const isAway = away.here === 'left' || (away.here === 'away' && seen < 72)
      const expected = bars.length === 0 && isAway && age >= 0.5 ? [scene.member.who.id] : []
      const nudged = (await nudgeMembers(ctx)).map(({ memberId }) => memberId)
      expect({ nudged, bars }).toEqual({ nudged: expected, bars })
    })
  })
  await fc.assert(property, all)
})

const codes: Partial<Record<Bar, string | string[]>> = {
  part: Object.keys(standingRefusals),
  cooldown: 'COOLDOWN',
  rest: 'RESTING',
  overdue: 'REVIEW_OVERDUE',
  cap: 'GIVING_CAP',
  meet: 'OFFER_WITHDRAWN',
  waits: 'OFFER_WITHDRAWN',
  pair: 'PAIR_MET',
  closed: 'MARKETPLACE_NOT_OPEN',
}

test('an offer can be accepted exactly when no rule bars it that began after it was made', async () => {
  const scene = await sceneWithRequest()
  await present(scene.member)
  await matchRequests(club.system)
  expect(await offeredTo(scene.member)).toBeDefined()
  const property = fc.asyncProperty(histories, (history) => {
    const { pair, reviewed } = history
    // While the offer is open, it holds the pair, and no other offer can be made to the member.
    const since = {
      ...history,
      busy: false,
      asked: null,
      pair: pair === 'held' ? null : pair,
      reviewed: reviewed === 'written' ? null : reviewed,
    }
    return undone(club.system, async (ctx) => {
      await writeAge(ctx, scene.request.id, since)
      await writeHistory(ctx, scene, since)
      if (since.waits !== null) await receive(ctx, scene, since.waits > 0 ? 3 : 2)
      const { code: answer } = await answerOf(
        respondToOffer(scene.member, { queueId: scene.request.id, accept: true }),
      )
      // The window may have grown since the offer was made. The shortest one holds at any time.
      const met = since.pair !== null && isWithin(since.pair, { same: 14, reverse: 28 })
      // The review that the member was about to receive may have ended since the offer was made.
      const bars = barsOf({ ...since, receiving: 'submitted' }).filter((bar) =>
        bar === 'pair' ? met : bar in codes,
      )
      if (bars.length === 0) expect(answer).toBe('taken')
      else expect(bars.flatMap((bar) => codes[bar] ?? [])).toContain(answer)
    })
  })
  await fc.assert(property, all)
})

test('a member reads that they are at the cap exactly when a new request could not be offered', async () => {
  const scene = await setScene(club)
  const property = fc.asyncProperty(histories, (history) =>
    undone(club.system, async (ctx) => {
      await writeHistory(ctx, scene, history)
      const refusal = (await getBalance(scene.member)).offerRefusal?.code
      const atCap = barsOf({ ...history, age: 0, idle: null }).includes('cap')
      // Another reason may be named first.
      if (refusal === 'GIVING_CAP') expect(atCap).toBe(true)
      if (atCap) expect(refusal).toBeDefined()
      if (refusal === undefined) expect(atCap).toBe(false)
    }),
  )
  await fc.assert(property, all)
})

test('a request is taken exactly when two members here within a day could be asked within one', async () => {
  const scene = await setScene(club)
  const property = fc.asyncProperty(histories, (history) =>
    undone(club.system, async (ctx) => {
      await writeHistory(ctx, scene, history)
      const { here, seen, cooldown, rest, quiet, gross } = history
      const later: (Bar | false)[] = [
        here !== 'here' && here !== 'left' && seen > 24 && 'presence',
        (cooldown ?? 0) > 24 && 'cooldown',
        (rest ?? 0) > 24 && 'rest',
        quiet !== null && quiet.from < 0 && quiet.until > 24 && 'quiet',
        gross >= 2 && 'cap',
      ]
      const lasting: Bar[] = ['part', 'pair', 'reviewed', 'asked', 'meet', 'take']
      const bars = [
        ...later.filter((bar) => bar !== false),
        ...barsOf(history).filter((bar) => lasting.includes(bar)),
      ]
      const answer = await ask(scene)
      const expected = bars.length === 0 ? 'taken' : 'NO_MEMBER_AVAILABLE'
      expect({ answer, bars }).toEqual({ answer: history.closed ? 'MARKETPLACE_NOT_OPEN' : expected, bars })
    }),
  )
  await fc.assert(property, all)
})

test('in a club of any size as many who may take the product are found as it needs', async () => {
  const scene = await setScene(club)
  const members = [scene.member, scene.steady, ...(await newMembers(club, 23))]
  const ids = members.map(({ who }) => who.id)
  const someWhoCould = fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 7 })
  const neededIn = new Map([
    [0, 2],
    [12, 3],
    [19, 4],
    [20, 5],
    [400, 5],
  ])
  const sizes = fc.constantFrom(...neededIn.keys())
  const property = fc.asyncProperty(someWhoCould, sizes, fc.boolean(), (could, size, isAhead) =>
    undone(club.system, async (ctx) => {
      const others = ids.filter((id) => !could.includes(id))
      await sql`insert into owned_listings (member_id, listing_id)
        select unnest(${others}::uuid[]), ${scene.listingId}`.execute(ctx.db)
      await sql`update rotation_figures set members = ${size}`.execute(ctx.db)
      await sql`update reviewer_states set balance = ${Number(isAhead)}
        where member_id = ${scene.seller.who.id}`.execute(ctx.db)
      const needed = Math.min(isAhead ? 3 : 5, neededIn.get(size) ?? 0)
      expect(await ask(scene)).toBe(could.length < needed ? 'NO_MEMBER_AVAILABLE' : 'taken')
    }),
  )
  // Whichever members are looked at first, one of these pairs has another one.
  const pairs = ids.map((id, at): [string[], number, boolean] => [
    [id, ids[(at + 1) % ids.length]!],
    0,
    false,
  ])
  // Just enough, and one fewer, in each of them.
  const borders = [...neededIn].flatMap(([size, needed]) =>
    [true, false].flatMap((isAhead) => {
      const enough = isAhead ? Math.min(3, needed) : needed
      return [enough, enough - 1].map((n): [string[], number, boolean] => [ids.slice(0, n), size, isAhead])
    }),
  )
  const examples = [...pairs, ...borders]
  await fc.assert(property, { numRuns: examples.length + 10, examples })
})

async function ask({ seller, product }: Scene) {
  return (await answerOf(askForReview(seller, product))).code
}
