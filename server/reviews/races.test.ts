import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { reported, returnByStaff } from '#server/moderation/testing.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { heldPast, untilOneWaits } from '#server/testing/held-row.ts'
import {
  confirmReview,
  lapseOverdueReviews,
  lapseReview,
  verifyDueReviews,
  verifyReview,
} from './outcomes.ts'
import { sweepOrphanFiles } from '#server/site/file-sweep.ts'
import { verifyExchange } from './interventions.ts'
import { carryDebts } from './ledger/debts.ts'
import { deleteOldProofFiles } from './proof-files.ts'
import { proveByOrder } from './proofs.ts'
import { saveDraft, submitReview } from './reviews.ts'
import {
  accepted,
  orderId,
  passHours,
  purchased,
  readyProof,
  rowOf,
  submission,
  submitted,
  uploadProof,
} from './testing.ts'
import type { Case } from './testing.ts'
import { callUpload, screenshot } from '#server/testing/proof-uploads.ts'

const club = useFreshClub()

let pairs = 0
/** Two new members, so that the cases of this file stay independent. */
async function newPair() {
  pairs += 1
  const [seller, reviewer] = [`seller${pairs}`, `reviewer${pairs}`]
  await addProductOf(await club.newMember(seller), seller)
  await club.newMember(reviewer)
  return [seller, reviewer] as const
}

/** How many of these succeeded. The others must have been refused with this code. */
async function settle(calls: Promise<unknown>[], code: string | RegExp) {
  const results = await Promise.allSettled(calls)
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  const expected = typeof code === 'string' ? code : (expect.stringMatching(code) as string)
  for (const reason of refused) expect(reason).toMatchObject({ code: expected })
  return results.length - refused.length
}

function ledgerOf({ id }: Case) {
  return club.system.db.selectFrom('ledgerEntries').select('delta').where('reviewId', '=', id).execute()
}

async function strikesOf({ id }: Case) {
  return club.system.db.selectFrom('strikes').select('id').where('reviewId', '=', id).execute()
}

describe('a deadline that passes while the review is locked', () => {
  const draft = { rating: null, text: 'Not yet', usedFor: '', notFor: '', aiAssisted: false }

  test('ends the time for a proof', async () => {
    const review = await accepted(club, ...(await newPair()))
    const proof = { id: review.id, orderId: orderId(), paidCents: 50 }
    const late = heldReview(review, 'due_at', () => proveByOrder(review.reviewer, proof))
    await expect(late).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    expect((await rowOf(review)).status).toBe('pending')
  })

  test('ends the time for a submission', async () => {
    const review = await purchased(club, ...(await newPair()))
    const late = heldReview(review, 'due_at', () => submitReview(review.reviewer, submission(review)))
    await expect(late).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    expect((await rowOf(review)).status).toBe('purchased')
  })

  test('ends the time to edit a returned review', async () => {
    const review = await submitted(club, ...(await newPair()))
    await returnByStaff(club, review)
    const late = heldReview(review, 'return_due_at', () => submitReview(review.reviewer, submission(review)))
    await expect(late).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    expect((await rowOf(review)).status).toBe('returned')
  })

  test('ends the time to save a draft', async () => {
    const review = await purchased(club, ...(await newPair()))
    const late = heldReview(review, 'due_at', () =>
      saveDraft(review.reviewer, { id: review.id, draft, basedOn: null }),
    )
    await expect(late).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    expect((await rowOf(review)).draft).toBeNull()
  })

  test('ends the time to report a review that is not final', async () => {
    const review = await submitted(club, ...(await newPair()))
    const late = heldReview(review, 'confirm_due_at', () => reported(review))
    await expect(late).rejects.toMatchObject({ code: 'REPORT_CLOSED' })
    expect((await rowOf(review)).status).toBe('reviewed')
  })

  test('verifies a review by time, whatever its seller says afterwards', async () => {
    const review = await submitted(club, ...(await newPair()))
    await heldReview(review, 'confirm_due_at', () => confirmReview(review.seller, review.id))
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'time' })
  })

  function heldReview<T>({ id }: Case, deadline: string, act: () => Promise<T>) {
    return heldPast(club.system, { table: 'reviews', id, deadline }, act)
  }
})

describe('at the same moment', () => {
  test('sixteen submissions are one version and one notice to the seller', async () => {
    const review = await purchased(club, ...(await newPair()))
    const calls = Array.from({ length: 16 }, () => submitReview(review.reviewer, submission(review)))
    expect(await settle(calls, 'NOT_WRITABLE')).toBe(1)
    const versions = await club.system.db
      .selectFrom('reviewVersions')
      .select(['version', 'body'])
      .where('reviewId', '=', review.id)
      .execute()
    expect(versions.map(({ version }) => version)).toEqual([1])
    expect(versions[0]?.body).toContain((await rowOf(review)).body)
    const notices = await club.system.db
      .selectFrom('notices')
      .select('id')
      .where('memberId', '=', review.sellerId)
      .where('title', '=', 'Review to confirm')
      .execute()
    expect(notices).toHaveLength(1)
  })

  test('confirmations by the seller, by time and by staff are one pair of entries', async () => {
    const review = await submitted(club, ...(await newPair()))
    await passHours(review, 73)
    const sam = await club.as('sam')
    await settle(
      [
        confirmReview(review.seller, review.id),
        verifyDueReviews(club.system),
        confirmReview(review.seller, review.id),
        verifyExchange(sam, { id: review.queueId, status: 'reviewed', reason: 'It is fine.' }),
        verifyDueReviews(club.system),
      ],
      // Our staff learn that the review changed meanwhile.
      /^(NOT_CONFIRMABLE|CONFLICT)$/,
    )
    expect((await rowOf(review)).status).toBe('verified')
    expect((await ledgerOf(review)).map(({ delta }) => delta).toSorted((one, other) => one - other)).toEqual([
      -1, 1,
    ])
  })

  test('a report before a confirmation holds the review; one after it is about a final review', async () => {
    const review = await submitted(club, ...(await newPair()))
    const [confirmed] = await Promise.allSettled([
      confirmReview(review.seller, review.id),
      reported(review),
      reported(review, 'copied'),
    ])
    const { status, heldAt } = await rowOf(review)
    expect([status, heldAt === null]).toEqual(
      confirmed.status === 'fulfilled' ? ['verified', true] : ['reviewed', false],
    )
    expect(await ledgerOf(review)).toHaveLength(status === 'verified' ? 2 : 0)
    const reports = await club.system.db
      .selectFrom('reports')
      .select('id')
      .where('reviewId', '=', review.id)
      .execute()
    expect(reports).toHaveLength(1)
  })

  test('of an answer by the reviewer and a decision by staff, one succeeds', async () => {
    const review = await submitted(club, ...(await newPair()))
    await returnByStaff(club, review)
    const sam = await club.as('sam')
    const verify = () =>
      verifyExchange(sam, { id: review.queueId, status: 'returned', reason: 'It is fine.' })
    const [answered, ...decided] = await Promise.allSettled([
      submitReview(review.reviewer, submission(review)),
      verify(),
      verify(),
    ])
    const byStaff = decided.filter(({ status }) => status === 'fulfilled').length
    expect([answered.status, byStaff]).toBeOneOf([
      ['fulfilled', 0],
      ['rejected', 1],
    ])
    expect((await rowOf(review)).status).toBe(byStaff === 1 ? 'verified' : 'reviewed')
    expect(await ledgerOf(review)).toHaveLength(byStaff === 1 ? 2 : 0)
  })

  test('four runs of the expiry job give one strike and one successor', async () => {
    const review = await accepted(club, ...(await newPair()))
    await passHours(review, 168)
    await Promise.all(Array.from({ length: 4 }, () => lapseOverdueReviews(club.system)))
    expect(await strikesOf(review)).toHaveLength(1)
    const requests = await club.system.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('productId', '=', review.productId)
      .execute()
    expect(requests.map(({ status }) => status).toSorted()).toEqual(['lapsed', 'queued'])
  })

  test('an order number used twice proves one purchase, and the other is logged for staff', async () => {
    const [first, second] = [
      await accepted(club, ...(await newPair())),
      await accepted(club, ...(await newPair())),
    ]
    const used = orderId()
    const calls = [first, second].map(({ reviewer, id }) =>
      proveByOrder(reviewer, { id, orderId: used, paidCents: 0 }),
    )
    expect(await settle(calls, 'ORDER_ID_USED')).toBe(1)
    const [winner, loser] = (await rowOf(first)).status === 'purchased' ? [first, second] : [second, first]
    const log = await club.system.db
      .selectFrom('activityLogs')
      .select(['memberId', 'metadata'])
      .where('action', '=', 'proof_refused')
      .where('memberId', 'in', [first.reviewerId, second.reviewerId])
      .execute()
    expect(log).toEqual([
      {
        memberId: loser.reviewerId,
        metadata: { reviewId: loser.id, targetId: winner.id, reason: 'order number already used' },
      },
    ])
  })
})

describe('the end of a review', () => {
  test.each([
    ['reviewer', 'verified'],
    ['seller', 'verified'],
    ['reviewer', 'lapsed'],
    ['seller', 'lapsed'],
  ] as const)('waits for other changes to the counters of its %s: %s', async (side, end) => {
    const pair = await newPair()
    const review = end === 'verified' ? await submitted(club, ...pair) : await accepted(club, ...pair)
    if (end === 'lapsed') await passHours(review, 168)
    let ended: Promise<unknown> = Promise.resolve()
    await inTransaction(club.system, async (ctx) => {
      await lockMembers(ctx, [review[side].who.id])
      ended = end === 'verified' ? confirmReview(review.seller, review.id) : lapseReview(club.system, review)
      await expect.poll(waitingForMembers).toBe(1)
    })
    await ended
    expect((await rowOf(review)).status).toBe(end)
  })

  async function waitingForMembers() {
    const { rows } = await sql`select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory' and not granted`.execute(club.system.db)
    return rows.length
  }
})

describe('one review that cannot be ended', () => {
  test('does not stop the others, and the run fails', async () => {
    const [broken, sound] = [
      await accepted(club, ...(await newPair())),
      await accepted(club, ...(await newPair())),
    ]
    for (const review of [broken, sound]) await passHours(review, 168)
    await sql`insert into strikes (id, member_id, review_id) values (gen_random_uuid(), ${broken.reviewerId},
      ${broken.id})`.execute(club.system.db)
    await expect(lapseOverdueReviews(club.system)).rejects.toThrow(/strikes/)
    expect((await rowOf(broken)).status).toBe('pending')
    expect((await rowOf(sound)).status).toBe('lapsed')
    await sql`delete from strikes where review_id = ${broken.id}`.execute(club.system.db)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(broken)).status).toBe('lapsed')
  })
})

describe('the file of a proof', () => {
  test('is stored before the transaction: a slow storage holds no connection', async () => {
    const review = await accepted(club, ...(await newPair()))
    const { kit } = review.reviewer
    const busy: unknown[] = []
    const files = {
      ...kit.files,
      async put(key: string, bytes: Uint8Array) {
        const { rows } = await sql`select query from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`.execute(club.system.db)
        busy.push(rows)
        await kit.files.put(key, bytes)
      },
    }
    const ctx = { ...review.reviewer, kit: { ...kit, files } }
    await callUpload(ctx, { id: review.id, file: await screenshot(), paidCents: 50 })
    expect(busy).toEqual([[]])
    expect(await keyOf(review)).not.toBe('')
  })

  test('is not kept when the call is refused, or was answered before', async () => {
    const review = await accepted(club, ...(await newPair()))
    const before = await keys()
    const file = await screenshot()
    const key = newId()
    await callUpload(review.reviewer, { id: review.id, file, paidCents: 50 }, key)
    const mine = await keyOf(review)
    await callUpload(review.reviewer, { id: review.id, file, paidCents: 50 }, key)
    expect(await keys()).toEqual([...before, mine].toSorted())
    const refused = callUpload(review.reviewer, { id: review.id, file, paidCents: 1 })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PRICE' })
    expect(await keys()).toEqual([...before, mine].toSorted())
  })

  test('is compared last, so that no other upload waits for what an upload writes', async () => {
    const slow = await accepted(club, ...(await newPair()))
    const quick = await purchased(club, ...(await newPair()))
    const uploading = await inTransaction(club.system, async (ctx) => {
      // The first proof of a review writes such an item, and the second none.
      await sql`lock table activity_items in share mode`.execute(ctx.db)
      const waiting = uploadProof(slow.reviewer, { id: slow.id, proof: readyProof(), paidCents: 0 })
      await untilOneWaits(club.system)
      await uploadProof(quick.reviewer, { id: quick.id, proof: readyProof(), paidCents: 0 })
      expect(await keyOf(slow)).toBe('')
      return { waiting }
    })
    await uploading.waiting
    expect(await keyOf(slow)).not.toBe('')
  })

  async function keys() {
    const found: string[] = []
    for await (const { key } of club.system.kit.files.list('')) found.push(key)
    return found
  }

  async function keyOf({ id }: Case) {
    const row = await club.system.db
      .selectFrom('proofs')
      .select('fileKey')
      .where('reviewId', '=', id)
      .where('state', '=', 'stored')
      .executeTakeFirst()
    return row?.fileKey ?? ''
  }

  /** Files are removed after the commit, in the background. */
  async function gone(key: string) {
    await expect.poll(() => club.system.kit.files.get(key)).toBeNull()
  }

  test('is removed when it is replaced', async () => {
    const review = await accepted(club, ...(await newPair()))
    await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    const first = await keyOf(review)
    await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    await gone(first)
    const second = await keyOf(review)
    expect(await club.system.kit.files.get(second)).not.toBeNull()
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    await gone(second)
  })

  test('is not kept when its transaction fails', async () => {
    const review = await accepted(club, ...(await newPair()))
    const before = await keys()
    await expect(
      inTransaction(review.reviewer, async (ctx) => {
        await uploadProof(ctx, { id: review.id, proof: readyProof(), paidCents: 0 })
        expect(await keys()).toHaveLength(before.length + 1)
        throw new Error('the rest failed')
      }),
    ).rejects.toThrow('the rest failed')
    expect(await keys()).toEqual(before)
  })

  test('that cannot be stored proves nothing', async () => {
    const review = await accepted(club, ...(await newPair()))
    const down = { ...club.system.kit.files, put: () => Promise.reject(new Error('storage down')) }
    const ctx = { ...review.reviewer, kit: { ...club.system.kit, files: down } }
    await expect(uploadProof(ctx, { id: review.id, proof: readyProof(), paidCents: 0 })).rejects.toThrow(
      'storage down',
    )
    expect(await rowOf(review)).toMatchObject({ status: 'pending' })
    expect(await keyOf(review)).toBe('')
  })

  test('is removed 90 days after the review is final, and its hash stays used', async () => {
    const review = await submitted(club, ...(await newPair()))
    const proof = readyProof()
    await uploadProof(review.reviewer, { id: review.id, proof, paidCents: 0 })
    const key = await keyOf(review)
    await confirmReview(review.seller, review.id)
    await passHours(review, 89 * 24)
    await deleteOldProofFiles(club.system)
    expect(await keyOf(review)).toBe(key)
    await passHours(review, 24)
    await deleteOldProofFiles(club.system)
    await deleteOldProofFiles(club.system)
    await gone(key)
    const other = await accepted(club, ...(await newPair()))
    const again = { id: other.id, proof, paidCents: 0 }
    await expect(uploadProof(other.reviewer, again)).rejects.toMatchObject({ code: 'PROOF_USED' })
  })

  test('without a row is removed after a day; those of proofs and pictures stay', async () => {
    const review = await accepted(club, ...(await newPair()))
    await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    const [young, old, picture] = [newFileKey(), newFileKey(), newFileKey()]
    for (const key of [young, old, picture]) await club.system.kit.files.put(key, Buffer.from(key))
    await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes)
      values (gen_random_uuid(), ${review.sellerId}, ${picture}, '{320}', 4, 3, 32)`.execute(club.system.db)
    await sweepOrphanFiles(aged(club.system, [old, picture, await keyOf(review)]))
    expect(await club.system.kit.files.get(old)).toBeNull()
    for (const key of [young, picture, await keyOf(review)]) {
      expect(await club.system.kit.files.get(key)).not.toBeNull()
    }
  })

  /** The same storage with these files as two days old. */
  function aged(ctx: Ctx, old: string[]): Ctx {
    const { files } = ctx.kit
    async function* list(prefix: string) {
      for await (const file of files.list(prefix)) {
        yield old.includes(file.key) ? { ...file, storedAt: new Date(Date.now() - 2 * 864e5) } : file
      }
    }
    return { ...ctx, kit: { ...ctx.kit, files: { ...files, list } } }
  }
})

test('two accounts of one owner that are paid for at once take over a debt once', async () => {
  const [seller, reviewer] = await newPair()
  const owing = await submitted(club, seller, reviewer)
  await verifyReview(club.system, owing, 'seller')
  const others = await Promise.all([1, 2].map((n) => club.newMember(`owner-again-${n}`)))
  const { db } = club.system
  for (const [n, { who }] of [owing.seller, ...others].entries())
    await sql`update members set email = ${`owner+${n}@mail.example`} where id = ${who.id}`.execute(db)
  await carryDebts(club.system, owing.seller.who.id)
  await sql`update memberships set status = 'ended' where member_id = ${owing.seller.who.id}`.execute(db)
  await Promise.all(others.map(({ who }) => carryDebts(club.system, who.id)))
  const balances = await db
    .selectFrom('reviewerStates')
    .select('balance')
    .where(
      'memberId',
      'in',
      [owing.seller, ...others].map(({ who }) => who.id),
    )
    .orderBy('balance')
    .execute()
  expect(balances.map(({ balance }) => balance)).toEqual([-1, 0, 0])
})
