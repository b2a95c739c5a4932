import { describe, expect, test } from 'vitest'
import { eventNames } from '#contract/live.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Ctx, Reactions, StoredEvent } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { emit } from './events.ts'
import { payloadsOf } from './wire.ts'

const club = useFreshClub()

const publicIds = {
  sessionId: newId(),
  productId: newId(),
  queueId: newId(),
  reviewId: newId(),
  noticeId: newId(),
  exportId: newId(),
  messageId: newId(),
  closureId: newId(),
  caseId: newId(),
}

/** Emits in a separate transaction, and returns what was handed to the relay. */
async function emitted(act: (ctx: Ctx) => Promise<void>, reactions: Reactions[] = []) {
  const handedOver: StoredEvent[] = []
  const kit = {
    ...club.system.kit,
    reactions,
    handOver: (event: StoredEvent) => void handedOver.push(event),
  }
  await inTransaction({ ...club.system, kit }, act)
  return handedOver
}

describe('an event', () => {
  test.each(eventNames)('%s is stored and sent with only its public ids', async (name) => {
    const [memberId, recipient] = [newId(), newId()]
    const internal = { memberId, sellerId: memberId, reviewerId: memberId }
    const [event] = await emitted((ctx) => emit(ctx, name, { ...publicIds, ...internal }, [recipient]))
    const row = await club.system.db
      .selectFrom('events')
      .selectAll()
      .where('id', '=', event?.id ?? '')
      .executeTakeFirstOrThrow()
    const everything = JSON.stringify([row, event, event && payloadsOf(event)])
    expect(everything).toContain(recipient)
    expect(everything).not.toContain(memberId)
  })

  test('runs the reactions of every module, bottom to top, with its internal fields', async () => {
    const memberId = newId()
    const seen: string[] = []
    const module = (place: string): Reactions => ({
      'member.changed': async (_ctx, fields) => void seen.push(`${place} ${fields.memberId}`),
      'offer.made': async () => void seen.push('another event'),
    })
    await emitted((ctx) => emit(ctx, 'member.changed', { memberId }), [module('low'), module('high')])
    expect(seen).toEqual([`low ${memberId}`, `high ${memberId}`])
  })

  test('with a misspelt name or a missing field does not compile', async () => {
    const wrong = (ctx: Ctx) => [
      // @ts-expect-error There is no such event.
      () => emit(ctx, 'offer.acepted', { queueId: newId() }),
      // @ts-expect-error The queueId is missing.
      () => emit(ctx, 'offer.accepted', {}),
      // @ts-expect-error An offer's event has no reviewerId.
      () => emit(ctx, 'offer.accepted', { queueId: newId(), reviewerId: newId() }),
      // @ts-expect-error The memberId, which reactions need, is missing.
      () => emit(ctx, 'member.changed', {}),
    ]
    const reactions: Reactions = {
      // @ts-expect-error An offer has no sellerId.
      'offer.accepted': async (_ctx, { sellerId }) => void sellerId,
    }
    expect([wrong(club.system).length, Object.keys(reactions)]).toEqual([4, ['offer.accepted']])
  })
})
