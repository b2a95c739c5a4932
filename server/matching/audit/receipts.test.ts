import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOf, dayFile, dayList, drawReceipt, passFile } from '#contract/draw-receipt.ts'
import {
  checkDays,
  checkDraw,
  checkKept,
  checkOwnPlace,
  checkPass,
  checkPasses,
} from '#contract/draw-receipt.ts'
import type { DayFile, DayList, DrawReceipt } from '#contract/draw-receipt.ts'
import { memberNumber, slateShare } from '#contract/draw.ts'
import { revealHours } from '#contract/matching-rules.ts'
import { realSlate } from '#server/kit/config.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { phases } from '../candidates.ts'
import { explainOffer } from '../explain/own-offer.ts'
import { takeTicket } from '../lottery.ts'
import { setOfferAside } from '../offers.ts'
import { runPass } from '../pass.ts'
import { findCurrentOffer } from '../reads.ts'
import { requestReview } from '../requests.ts'
import {
  addProductOf,
  askForReview,
  failedChecks,
  newMembers,
  present,
  productOf,
  publishAsIfOver,
} from '../testing.ts'
import { listProductExchanges } from '#server/products/exchanges.ts'
import { listOwnDraws } from './own-draws.ts'
import { findDrawPlace } from './own-place.ts'
import { deleteOldLists, getDay, listRecords, publishDays } from './public-list.ts'
import { getPass, getReceipt } from './receipts.ts'

const club = useClub()
const script = join(import.meta.dirname, '../../../scripts/verify-draw.mjs')

type Files = { receipt: DrawReceipt; days: DayList; day: DayFile }

/** A request among eight members, drawn, with its day published. Returns what its seller can check. */
async function drawn(): Promise<Files & { seller: MemberCtx; reviewer: MemberCtx; members: MemberCtx[] }> {
  const members = await newMembers(club, 8)
  const [seller] = members as [MemberCtx]
  await publishDays(club.system)
  const { id } = await askForReview(seller, await addProductOf(seller, 'drawn'))
  await present(...members)
  expect(await runPass(club.system, { phase: phases.present, batch: 5 })).toMatchObject({ matched: 1 })
  await publishAsIfOver(club.system)
  const receipt = await getReceipt(seller, id)
  const { offeredTo } = await club.system.db
    .selectFrom('reviewQueue')
    .select('offeredTo')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const reviewer = members.find(({ who }) => who.id === offeredTo)
  if (!reviewer) throw new Error('Another member was drawn.')
  const { config } = club
  const days: DayList = {
    format: 'evenhand-draw-days/1',
    club: config.origin,
    records: await listRecords(club.system),
  }
  const day = receipt.ticket.day
  const file: DayFile = {
    format: 'evenhand-draw-day/1',
    club: config.origin,
    day,
    ...(await getDay(club.system, day)),
  }
  return { receipt, days, day: file, seller, reviewer, members }
}

/** The faults that the page’s module finds, and whether the script finds one. */
async function faultsOf({ receipt, days, day }: Files): Promise<{ page: string[]; script: number }> {
  const pass = receipt.draws[0]!.pass
  const steps = [...checkDays(receipt, days), checkPasses(pass, day, days)]
  return {
    page: [...failedChecks(receipt), ...steps.flatMap(({ name, ok }) => (ok === false ? [name] : []))],
    script: await runScript({ receipt, days, day }),
  }
}

type Script = { verify(given: object): { ok: boolean | null }[] }

/** Whether the script finds no fault: 0, else 1, which it ends with. */
async function runScript(
  files: Files,
  own?: { number: string; band: number; turn: string },
): Promise<number> {
  // A file of its own, in plain JavaScript.
  const { verify } = (await import(script)) as Script
  const me = own ? { ...own, turn: Date.parse(own.turn) } : null
  return verify({ ...files, dayFiles: [files.day], me }).some(({ ok }) => ok === false) ? 1 : 0
}

test('the secret of a day is published once no request of that day has a small slate anymore', async () => {
  const { db } = club.system
  await sql`create function public.clock_timestamp() returns timestamptz stable language sql as
    $$ select current_setting('club.moment')::timestamptz $$`.execute(db)
  await sql`set local search_path = public, pg_catalog`.execute(db)
  const midnight = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  const publishedAt = async (hours: number) => {
    const moment = new Date(midnight + hours * 3_600_000).toISOString()
    await sql`select set_config('club.moment', ${moment}, true)`.execute(db)
    await publishDays(club.system)
    return (await listRecords(club.system)).filter(({ kind }) => kind === 'revealed').map(({ day }) => day)
  }
  const day = new Date(midnight).toISOString().slice(0, 10)
  const due = 24 + revealHours
  expect(await publishedAt(0)).toEqual([])
  const hours = fc.double({ min: 0, max: due + 24 - 0.01, noNaN: true })
  const property = fc.asyncProperty(hours, (hours) =>
    undone(club.system, async () => {
      expect(await publishedAt(hours)).toEqual(hours < due ? [] : [day])
    }),
  )
  const examples = [12, 23.9, 24, due - 0.1, due].map((hours): [number] => [hours])
  await fc.assert(property, { numRuns: examples.length + 15, examples })
  // A request of the last second of the day is open to every member by then.
  expect(slateShare(revealHours * 3_600_000, realSlate)).toBe(1)
})

test('an honest draw holds in every step; the page and the script find each change of it', async () => {
  const files = await drawn()
  for (const [schema, file] of [
    [drawReceipt, files.receipt],
    [dayList, files.days],
    [dayFile, files.day],
  ] as const)
    expect(schema.parse(file)).toEqual(file)
  expect(await faultsOf(files)).toEqual({ page: [], script: 0 })
  expect(new Set(Object.values(checkDraw(files.receipt, 0)?.checks ?? {}))).toEqual(new Set([true]))

  const flip = (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1)
  const later = (time: string) => new Date(Date.parse(time) + 1).toISOString()
  const changes: Record<string, (files: Files) => void> = {
    'a candidate': ({ receipt }) => void (pass(receipt).list = flip(pass(receipt).list!)),
    'a dropped candidate': ({ receipt }) => {
      pass(receipt).list = pass(receipt).list!.slice(18)
      pass(receipt).candidates -= 1
    },
    'the winner': ({ receipt }) => void (receipt.draws[0]!.winner = flip(receipt.draws[0]!.winner)),
    'the seed': ({ receipt }) => void (receipt.daySecret = flip(receipt.daySecret!)),
    'the nonce': ({ receipt }) => void (receipt.nonce = flip(receipt.nonce)),
    'the time of the request': ({ receipt }) => void (receipt.askedAt = later(receipt.askedAt)),
    'the time of the pass': ({ receipt }) => void (pass(receipt).at = later(pass(receipt).at)),
    'the commitment': ({ receipt }) => void (receipt.ticket.commitment = flip(receipt.ticket.commitment)),
    'the hash of the day': ({ receipt }) => void (receipt.ticket.dayHash = flip(receipt.ticket.dayHash)),
    'the number of the ticket': ({ receipt }) => void (receipt.ticket.number += '1'),
    'the cut-off': ({ receipt }) => void (pass(receipt).cut = { band: 8, turn: pass(receipt).at }),
    'the pass before': ({ receipt }) => void (pass(receipt).previousHash = '11'.repeat(32)),
    'the hash of the pass': ({ receipt }) => void (pass(receipt).hash = flip(pass(receipt).hash)),
    'a record of the list': ({ days }) => void (days.records[0]!.value = flip(days.records[0]!.value)),
    'a missing record': ({ days }) => void days.records.splice(1, 1),
    'a list that was begun again': ({ receipt }) => void (receipt.head!.hash = flip(receipt.head!.hash)),
    'a missing pass of the day': ({ day }) => void day.passes.pop(),
  }
  for (const [what, change] of Object.entries(changes)) {
    const copy = structuredClone({ receipt: files.receipt, days: files.days, day: files.day })
    change(copy)
    const { page, script } = await faultsOf(copy)
    expect(page.length, `${what}, on the page`).toBeGreaterThan(0)
    expect(script, `${what}, by the script`).toBe(1)
  }

  function pass(receipt: DrawReceipt) {
    return receipt.draws[0]!.pass
  }
})

test('a member who has just left can be asked as one who is away', async () => {
  const { members, reviewer } = await drawn()
  const me = members.slice(1).find(({ who }) => who.id !== reviewer.who.id)!
  // No job has looked at their tier since.
  await sql`update reviewer_states set tier = 0, last_seen_at = clock_timestamp(),
    here_until = clock_timestamp() + interval '1 minute' where member_id = ${me.who.id}`.execute(me.db)
  expect((await findDrawPlace(me))?.asked).toBe('present')
  await sql`update reviewer_states set here_until = clock_timestamp() - interval '1 second'
    where member_id = ${me.who.id}`.execute(me.db)
  expect((await findDrawPlace(me))?.asked).toBe('absent')
})

test('a member who was before the cut-off and is not in the list finds out alone', async () => {
  const { receipt, days, day, members } = await drawn()
  const me = members[5]!
  const place = await findDrawPlace(me)
  const { id } = await me.db.selectFrom('matchPasses').select('id').executeTakeFirstOrThrow()
  const file = await getPass(me, id)
  expect(passFile.parse(file)).toEqual(file)
  expect(checkPass(file.pass)).toBe(true)
  const own = { number: place!.number, band: place!.band, turn: place!.turnAt }
  expect(place!.passes[0]?.place).toBeGreaterThan(0)
  expect(checkOwnPlace(file.pass, own)).toMatchObject({ name: 'me', ok: true })
  expect(await runScript({ receipt, days, day }, own)).toBe(0)

  // Numbers change with the week, so that another one proves nothing.
  const nextWeek = Date.now() + 7 * 24 * 3_600_000
  const other = { ...own, number: 'ff'.repeat(8), turn: Date.parse(own.turn) }
  const { verify } = (await import(script)) as Script
  expect(verify({ receipt: file, me: other, now: nextWeek }).at(-1)?.ok).toBe(null)
  expect(verify({ receipt: file, me: other }).at(-1)?.ok).toBe(false)

  // A club that leaves a member out has no place for their number, and cannot move the cut-off behind them.
  const left = { ...own, number: Buffer.from(memberNumber(Buffer.alloc(32, 9), 1)).toString('hex') }
  expect(checkOwnPlace(file.pass, left)).toMatchObject({ name: 'left_out', ok: false })
  expect(await runScript({ receipt, days, day }, left)).toBe(1)
  // Who is ahead is asked only at times, and a list of others doesn't say that this was one.
  expect(checkOwnPlace(file.pass, { ...left, band: 5 })).toMatchObject({ name: 'me', ok: null })
  const ahead = { ...left, band: 5, turn: Date.parse(left.turn) }
  expect(verify({ receipt: file, me: ahead }).map(({ ok }) => ok)).toEqual([true, true, null])
  const behind = { ...file.pass, cut: { band: own.band, turn: '2020-01-01T00:00:00Z' } }
  expect(checkOwnPlace(behind, left)).toMatchObject({ name: 'me', ok: true })
})

test('the receipt of each side names no one, and is for the two sides alone', async () => {
  const { receipt, seller, reviewer, members } = await drawn()
  await findCurrentOffer(reviewer)
  const theirs = await getReceipt(reviewer, receipt.request)
  expect(theirs).toMatchObject({ side: 'reviewer', draws: receipt.draws, nonce: receipt.nonce })
  for (const [side, other] of [
    [receipt, reviewer],
    [theirs, seller],
  ] as const) {
    const { username, email } = await other.db
      .selectFrom('members')
      .select(['username', 'email'])
      .where('id', '=', other.who.id)
      .executeTakeFirstOrThrow()
    const text = JSON.stringify(side)
    for (const name of [other.who.id, username!, email]) expect(text).not.toContain(name)
  }
  const stranger = members.find((one) => one !== seller && one !== reviewer)!
  await expect(getReceipt(stranger, receipt.request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an offer that its reviewer did not open shows them nothing of its request', async () => {
  const { receipt, reviewer } = await drawn()
  const asks = [getReceipt, explainOffer]
  for (const ask of asks)
    await expect(ask(reviewer, receipt.request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await setOfferAside(reviewer, receipt.request)
  for (const ask of asks) expect(await ask(reviewer, receipt.request)).toBeDefined()
})

test('each side finds its draws in a list, and the seller in the history of the product', async () => {
  const { receipt, seller, reviewer, members } = await drawn()
  const { request, ticket } = receipt
  // A request that was not drawn yet has nothing to check.
  const stranger = members.find((one) => one !== seller && one !== reviewer)!
  const productId = await addProductOf(stranger, 'waiting')
  await askForReview(stranger, productId)
  const shown = { request, title: 'Work of drawn', day: ticket.day, published: true }
  expect(await listOwnDraws(seller)).toEqual([{ ...shown, side: 'seller' }])
  await findCurrentOffer(reviewer)
  expect(await listOwnDraws(reviewer)).toEqual([{ ...shown, side: 'reviewer' }])
  expect(await listOwnDraws(stranger)).toEqual([])
  const { id } = await seller.db
    .selectFrom('products')
    .innerJoin('reviewQueue', 'reviewQueue.productId', 'products.id')
    .select('products.id')
    .where('reviewQueue.id', '=', request)
    .executeTakeFirstOrThrow()
  expect((await listProductExchanges(seller, { id })).items).toMatchObject([{ hasReceipt: true }])
  const waiting = await listProductExchanges(stranger, { id: productId })
  expect(waiting.items).toMatchObject([{ hasReceipt: false }])
})

test('the commitment precedes the nonce; a ticket serves one request of one listing on its day', async () => {
  const anna = await club.as('anna')
  const productId = await productOf(anna)
  const taken = await takeTicket(anna, productId)
  expect(await takeTicket(anna, productId)).toEqual(taken)
  expect(taken.keptNonce).toBeNull()
  const nonce = '0f'.repeat(16)
  const ben = await club.as('ben')
  const other = await productOf(ben)
  await takeTicket(ben, other)
  await expect(requestReview(ben, { productId: other, ticket: taken.ticket, nonce })).rejects.toMatchObject({
    code: 'TICKET_EXPIRED',
  })
  const { id } = await requestReview(anna, { productId, ticket: taken.ticket, nonce })
  const receipt = await getReceipt(anna, id)
  const kept = { ...taken, nonce }
  expect(checkKept(receipt, kept)).toMatchObject({ ok: true })
  expect(checkKept(receipt, { ...kept, nonce: '00'.repeat(16) })).toMatchObject({ ok: false })
  expect(receipt.daySecret).toBeNull()
  expect(checkDraw(receipt, 0)).toBeNull()

  await sql`update review_queue set status = 'cancelled', closed_at = clock_timestamp()
    where id = ${id}`.execute(anna.db)
  await sql`update reviewer_states set open_requests = 0 where member_id = ${anna.who.id}`.execute(anna.db)
  const again = await takeTicket(anna, productId)
  expect(again).toMatchObject({ ticket: taken.ticket, keptNonce: nonce })
  await requestReview(anna, { productId, ticket: again.ticket, nonce: '77'.repeat(16) })
  expect((await getReceipt(anna, id)).nonce).toBe(nonce)
})

test('the database refuses to change what was published', async () => {
  await publishAsIfOver(club.system)
  const { db } = club.system
  for (const statement of [
    sql`update draw_records set value = value`,
    sql`delete from draw_records`,
    sql`update lottery_days set secret = ${Buffer.alloc(32)}`,
    sql`delete from lottery_days`,
  ]) {
    await sql`savepoint s`.execute(db)
    await expect(statement.execute(db)).rejects.toMatchObject({ code: '23001' })
    await sql`rollback to savepoint s`.execute(db)
  }
  expect(bytesOf((await listRecords(club.system))[0]!.hash)).toHaveLength(32)
})

test('the script says each step and ends with 3 without the public files, or 1 or 2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenhand-draw-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { receipt } = await drawn()
  const run = (value: string) => {
    writeFileSync(join(folder, 'receipt.json'), value)
    return spawnSync(process.execPath, [script, join(folder, 'receipt.json')], { encoding: 'utf8' })
  }
  expect(run(JSON.stringify(receipt))).toMatchObject({
    status: 3,
    stderr: '',
    stdout: expect.stringMatching(/✓/),
  })
  const changed = run(JSON.stringify({ ...receipt, nonce: '00'.repeat(16) }))
  expect(changed).toMatchObject({ status: 1, stderr: '', stdout: expect.stringMatching(/✗/) })
  expect(run('{')).toMatchObject({ status: 2 })
})

test('the lists of passes go after 180 days, in batches, and their hashes stay', async () => {
  const { db } = club.system
  await sql`insert into match_passes (id, chain, pass_no, at, phase, requests, candidates, matched, list,
      previous_hash, hash)
    select gen_random_uuid(), 'of a test', n,
      clock_timestamp() - make_interval(days => case when n <= 1001 then 181 else 179 end),
      0, 0, 0, 0, '\\x00', case when n > 1 then sha256((n - 1)::text::bytea) end, sha256(n::text::bytea)
    from generate_series(1, 1003) n`.execute(db)
  await deleteOldLists(club.system)
  const { rows } = await sql`
    select count(*), count(list) as lists, min(pass_no) filter (where list is not null) as first,
      count(hash) as hashes from match_passes where chain = 'of a test'`.execute(db)
  expect(rows).toEqual([{ count: 1003, lists: 2, first: 1002, hashes: 1003 }])
})

test('a member who could not be in a list reads why, as far as the club knows it', async () => {
  const { members, seller, reviewer } = await drawn()
  const other = members.find(({ who }) => who.id !== seller.who.id && who.id !== reviewer.who.id)!
  await askForReview(other, await addProductOf(other, 'second'))
  expect(await runPass(club.system, { phase: phases.present, batch: 5 })).toMatchObject({ matched: 1 })
  const [newcomer] = (await newMembers(club, 1)) as [MemberCtx]
  const whys = async (member: MemberCtx) => (await findDrawPlace(member))?.passes.map(({ why }) => why)
  expect(await whys(newcomer)).toEqual(['joined_later', 'joined_later'])
  expect(await whys(reviewer)).toEqual(['had_offer', null])
})
