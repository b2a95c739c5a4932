// Two members of staff at once, on a separate database with real connections and real commits.
import { describe, expect, test } from 'vitest'
import { eraseMember } from '#server/privacy/erasure.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { answerMessage, assignMessage, resolveMessage } from './desk.ts'
import { getThread } from './desk-reads.ts'
import { submitSupportRequest } from './support.ts'
import { listMyMessages, replyToAnswer } from './threads.ts'

const club = useFreshClub()

async function written(username: string) {
  const writer = await club.newMember(username)
  await submitSupportRequest(writer, { category: 'other', subject: 'A question', message: 'How?' })
  const { items } = await listMyMessages(writer, {})
  return { writer, id: items[0]?.id ?? '' }
}

describe('of two who act at once', () => {
  test('one answers, and the writer gets one mail', async () => {
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    for (let round = 1; round <= 5; round += 1) {
      const { writer, id } = await written(`asker-${round}`)
      const tries = await Promise.allSettled(
        [sam, ada, sam, ada].map((ctx, at) =>
          answerMessage(ctx, { id, version: 1, body: `Answer ${at}`, resolve: at % 2 === 0 }),
        ),
      )
      const refused = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason.code] : []))
      expect(refused).toEqual(['THREAD_CHANGED', 'THREAD_CHANGED', 'THREAD_CHANGED'])
      expect((await getThread(sam, id)).entries).toHaveLength(1)
      const mails = await club.system.db
        .selectFrom('mails')
        .select('id')
        .where('memberId', '=', writer.who.id)
        .where('template', '=', 'support-answer')
        .execute()
      expect(mails).toHaveLength(1)
    }
  })

  test('one is assigned, and a resolved message was not written to in between', async () => {
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    const { writer, id } = await written('asker-assign')
    const assigned = await Promise.allSettled(
      [sam, ada].map((ctx) => assignMessage(ctx, { id, version: 1, to: ctx.who.id })),
    )
    expect(assigned.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { version } = await getThread(sam, id)
    const [reply, resolved] = await Promise.allSettled([
      replyToAnswer(writer, { id, message: 'One more thing.' }),
      resolveMessage(sam, { id, version }),
    ])
    expect(reply.status).toBe('fulfilled')
    const { status } = await getThread(sam, id)
    // Resolved first, the reply opened it again; resolved second, it was refused.
    expect(status).toBe('open')
    if (resolved.status === 'rejected') expect(resolved.reason.code).toBe('THREAD_CHANGED')
  })

  test('an answer to a member who is being erased leaves nothing behind', async () => {
    const sam = await club.as('sam')
    for (let round = 1; round <= 5; round += 1) {
      const { writer, id } = await written(`leaver-${round}`)
      await Promise.allSettled([
        answerMessage(sam, { id, version: 1, body: 'Wait.', resolve: false }),
        eraseMember(club.system, writer.who.id),
      ])
      for (const table of ['notices', 'mails'] as const) {
        const left = await club.system.db
          .selectFrom(table)
          .select('id')
          .where('memberId', '=', writer.who.id)
          .execute()
        expect(left, table).toEqual([])
      }
      await expect(getThread(sam, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})
