import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { newPerson } from '#server/privacy/testing.ts'
import { findRowsWith } from '#server/privacy/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { sendContactMessage } from './contact.ts'
import { addNote, answerMessage, assignMessage, reopenMessage, resolveMessage } from './desk.ts'
import { getThread, listMessages } from './desk-reads.ts'
import { addSavedReply, deleteSavedReply, editSavedReply, listSavedReplies } from './saved-replies.ts'
import { submitSupportRequest } from './support.ts'
import { getMyMessage, listMyMessages, replyToAnswer } from './threads.ts'

const club = useClub()
const letter = { name: 'Mara', email: 'mara@shop.example', subject: 'Two of us', message: 'May we share?' }

async function written(username = 'anna', subject = 'Where is my card?') {
  const writer = await club.as(username)
  await submitSupportRequest(writer, { category: 'product', subject, message: 'I cannot\nfind it.' })
  const id = await newestOf(writer)
  return { writer, id }
}

async function newestOf({ db, who }: MemberCtx) {
  const { rows } = await sql<{ id: string }>`select id from support_messages where member_id = ${who.id}
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.id ?? ''
}

async function fromVisitor() {
  await sendContactMessage(club.system, letter)
  const row = await club.system.db
    .selectFrom('supportMessages')
    .select('id')
    .where('email', '=', letter.email)
    .executeTakeFirstOrThrow()
  return row.id
}

async function actions() {
  const rows = await club.system.db.selectFrom('staffActions').selectAll().orderBy('at').execute()
  return rows.map(({ action }) => action)
}

describe('an answer to a message', () => {
  test('goes out by mail and into the account, and assigns the message to who answered', async () => {
    const { writer, id } = await written()
    const sam = await club.as('sam')
    const { version } = await answerMessage(sam, {
      id,
      version: 1,
      body: 'It is on <your> page.\nSee https://evil.test/x and http://localhost:3000/help',
      resolve: false,
    })
    const mail = (await mailsTo(club, 'anna@evenhand.example')).at(-1)
    expect(mail?.subject).toBe('An answer to your message')
    expect(mail?.text.replaceAll('\u2060', '')).toContain('It is on <your> page.\nSee https://evil.test/x')
    // Only links to our own pages can be opened.
    expect(mail?.text).not.toContain('https://evil.test')
    expect(mail?.text).toContain(`http://localhost:3000/support/${id}`)
    expect(mail?.text).toContain('http://localhost:3000/help')
    const mine = await getMyMessage(writer, id)
    expect(mine).toMatchObject({ status: 'open', entries: [{ mine: false }] })
    expect(JSON.stringify(mine)).not.toContain('sam')
    expect(await getThread(sam, id)).toMatchObject({
      version,
      assignedTo: { name: 'sam' },
      entries: [{ kind: 'answer', author: 'sam', mine: true, delivery: 'waiting' }],
    })
    const [notice] = await writer.db
      .selectFrom('notices')
      .select(['title', 'actionHref'])
      .where('memberId', '=', writer.who.id)
      .execute()
    expect(notice).toEqual({ title: 'Our staff answered your message', actionHref: `/support/${id}` })
    expect(await actions()).toContain('support_answered')
  })

  test('goes to the address of a visitor, and repeats nothing of the message', async () => {
    const id = await fromVisitor()
    await answerMessage(await club.as('sam'), { id, version: 1, body: 'One account each.', resolve: true })
    const mail = (await mailsTo(club, letter.email)).at(-1)
    expect(mail?.text).toContain('One account each.')
    expect(mail?.text).toContain('http://localhost:3000/contact')
    for (const part of [letter.subject, letter.message, letter.name]) expect(mail?.text).not.toContain(part)
    expect(await getThread(await club.as('ada'), id)).toMatchObject({ status: 'resolved', writer: null })
  })

  test('goes to the present address of an account, and says whether mail there bounces', async () => {
    const { writer, id } = await written()
    await sql`update members set email = 'new@evenhand.example' where id = ${writer.who.id}`.execute(
      writer.db,
    )
    await sql`insert into bounced_addresses (address) values ('new@evenhand.example')`.execute(writer.db)
    const sam = await club.as('sam')
    expect(await getThread(sam, id)).toMatchObject({ answersTo: 'new@evenhand.example', bounced: true })
    await answerMessage(sam, { id, version: 1, body: 'Hello.', resolve: false })
    expect(await mailsTo(club, 'new@evenhand.example')).toHaveLength(1)
  })

  test('is refused when a colleague answered first, and nothing of it is kept', async () => {
    const { id } = await written()
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    await answerMessage(sam, { id, version: 1, body: 'First.', resolve: false })
    await expect(
      answerMessage(ada, { id, version: 1, body: 'Second.', resolve: false }),
    ).rejects.toMatchObject({ code: 'THREAD_CHANGED', status: 409 })
    expect((await getThread(ada, id)).entries.map(({ body }) => body)).toEqual(['First.'])
  })

  test('is refused to who wrote the message, signed in or on the contact page', async () => {
    const sam = await club.as('sam')
    await submitSupportRequest(sam, { category: 'other', subject: 'Mine', message: 'Please.' })
    const own = await newestOf(sam)
    await sendContactMessage(club.system, { ...letter, email: 'sam@evenhand.example' })
    const other = await club.system.db
      .selectFrom('supportMessages')
      .select('id')
      .where('via', '=', 'contact')
      .executeTakeFirstOrThrow()
    for (const id of [own, other.id]) {
      const seen = { id, version: 1 }
      for (const tried of [
        () => answerMessage(sam, { ...seen, body: 'Yes.', resolve: true }),
        () => addNote(sam, { id, body: 'Fine.' }),
        () => resolveMessage(sam, seen),
        () => assignMessage(sam, { ...seen, to: sam.who.id }),
        () => getThread(sam, id),
      ])
        await expect(tried()).rejects.toMatchObject({ code: 'OWN_MATTER' })
    }
    const ada = await club.as('ada')
    await expect(assignMessage(ada, { id: own, version: 1, to: sam.who.id })).rejects.toMatchObject({
      code: 'OWN_MATTER',
    })
    expect(await actions()).toEqual([])
  })

  test('of only invisible signs is refused', async () => {
    const { id } = await written()
    await expect(
      answerMessage(await club.as('sam'), { id, version: 1, body: '\u200b', resolve: false }),
    ).rejects.toMatchObject({ code: 'FIELDS_MISSING' })
  })
})

describe('a reply of the writer', () => {
  test('opens the message again and notifies who answers it', async () => {
    const { writer, id } = await written()
    const sam = await club.as('sam')
    await answerMessage(sam, { id, version: 1, body: 'Done.', resolve: true })
    await replyToAnswer(writer, { id, message: 'Not yet. password: hunter22' })
    const thread = await getThread(sam, id)
    expect(thread).toMatchObject({ status: 'open', resolvedAt: null, version: 3 })
    expect(thread.entries.at(-1)).toMatchObject({ kind: 'reply', author: 'anna', body: 'Not yet. [removed]' })
    const notices = await sam.db
      .selectFrom('notices')
      .select('title')
      .where('memberId', '=', sam.who.id)
      .execute()
    expect(notices).toEqual([{ title: 'The writer of a message wrote back' }])
  })

  test('makes an answer out of date that was begun before it', async () => {
    const { writer, id } = await written()
    await replyToAnswer(writer, { id, message: 'I found it.' })
    await expect(
      answerMessage(await club.as('sam'), { id, version: 1, body: 'Look again.', resolve: true }),
    ).rejects.toMatchObject({ code: 'THREAD_CHANGED' })
  })

  test('is refused to everyone else, who do not see the message either', async () => {
    const { id } = await written()
    const ben = await club.as('ben')
    await expect(replyToAnswer(ben, { id, message: 'Hello' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(getMyMessage(ben, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listMyMessages(ben, {})).items).toEqual([])
  })

  test('shows in the own list, and a note of the staff never does', async () => {
    const { writer, id } = await written()
    await addNote(await club.as('sam'), { id, body: 'Looks like the third time.' })
    expect((await listMyMessages(writer, {})).items).toMatchObject([{ id, status: 'open', answeredAt: null }])
    expect((await getMyMessage(writer, id)).entries).toEqual([])
  })
})

describe('the work of the staff', () => {
  test('resolves a message once, and opens it again', async () => {
    const { id } = await written()
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    const { version } = await resolveMessage(sam, { id, version: 1 })
    await expect(resolveMessage(ada, { id, version })).rejects.toMatchObject({ code: 'THREAD_CHANGED' })
    await reopenMessage(ada, { id, version })
    expect(await getThread(sam, id)).toMatchObject({ status: 'open', resolvedAt: null })
    expect(await actions()).toEqual(['support_resolved', 'support_reopened', 'support_viewed'])
  })

  test('assigns a message to a colleague or to no one, and never to a member', async () => {
    const { id } = await written()
    const [sam, ada, ben] = [await club.as('sam'), await club.as('ada'), await club.as('ben')]
    const { version } = await assignMessage(sam, { id, version: 1, to: ada.who.id })
    expect((await listMessages(ada, { assigned: 'me' })).items).toMatchObject([
      { id, assignedTo: { name: 'ada' } },
    ])
    expect((await listMessages(ada, { assigned: 'no_one' })).items).toEqual([])
    await expect(assignMessage(sam, { id, version, to: ben.who.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await sql`update members set role = 'user' where id = ${ada.who.id}`.execute(ada.db)
    expect((await listMessages(sam, { assigned: 'no_one' })).items).toMatchObject([{ assignedTo: null }])
    await sql`update members set role = 'admin' where id = ${ada.who.id}`.execute(ada.db)
  })

  test('is recorded, and a look once an hour', async () => {
    const { writer, id } = await written()
    const sam = await club.as('sam')
    await getThread(sam, id)
    await getThread(sam, id)
    const looks = () =>
      sam.db.selectFrom('staffActions').selectAll().where('action', '=', 'support_viewed').execute()
    expect(await looks()).toMatchObject([{ actorId: sam.who.id, memberId: writer.who.id, subjectId: id }])
    await getThread(await club.as('ada'), id)
    expect(await looks()).toHaveLength(2)
  })

  test('shows the writer beside the message', async () => {
    const first = await written('anna', 'An earlier one')
    const { writer, id } = await written('anna')
    expect(await getThread(await club.as('sam'), id)).toMatchObject({
      writer: {
        id: writer.who.id,
        username: 'anna',
        membership: 'active',
        standing: 'in',
        openRequests: 0,
        reviewsToWrite: 0,
        openOffers: 0,
      },
      earlier: [{ id: first.id, subject: 'An earlier one', status: 'open' }],
      colleagues: [{ name: 'ada' }, { name: 'sam' }],
    })
  })
})

describe('the list of messages', () => {
  test('is found by email, name, subject and message, and counts both', async () => {
    await written('anna', '50% off_er')
    await written('ben', 'Another')
    await fromVisitor()
    const sam = await club.as('sam')
    const found = async (search: string) => (await listMessages(sam, { search })).items.length
    expect(await found('ANNA@even')).toBe(1)
    expect(await found('mara')).toBe(1)
    expect(await found('0% OFF_')).toBe(1)
    expect(await found('cannot')).toBe(2)
    expect(await found('%')).toBe(1)
    expect(await listMessages(sam, { search: 'share' })).toMatchObject({
      matching: { count: 1, is: 'exact' },
      total: { count: 3, is: 'exact' },
    })
  })

  test('pages in both orders without gaps, while the filter stays', async () => {
    for (let n = 1; n <= 5; n += 1) await written('anna', `Question ${n}`)
    const sam = await club.as('sam')
    for (const order of ['newest', 'oldest'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await listMessages(sam, { order, limit: 2, cursor, status: 'open' })
        seen.push(...page.items.map(({ subject }) => subject))
        cursor = page.next ?? undefined
      } while (cursor)
      const numbers = seen.map((subject) => Number(subject.slice(-1)))
      expect(numbers).toEqual(order === 'newest' ? [5, 4, 3, 2, 1] : [1, 2, 3, 4, 5])
    }
  })
})

describe('a saved reply', () => {
  test('is listed by title, changed and deleted, and its title is unique', async () => {
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    const saved = await addSavedReply(sam, { title: 'Where is my turn', body: 'The queue…' })
    await addSavedReply(ada, { title: 'A refund', body: 'Within seven days…' })
    await expect(addSavedReply(ada, { title: 'a REFUND', body: 'x' })).rejects.toMatchObject({
      code: 'TITLE_TAKEN',
      data: { field: 'title' },
    })
    await expect(editSavedReply(ada, { ...saved, title: 'A refund' })).rejects.toMatchObject({
      code: 'TITLE_TAKEN',
    })
    await editSavedReply(ada, { id: saved.id, title: 'My turn', body: 'Soon.' })
    expect((await listSavedReplies(sam)).map(({ title, body }) => [title, body])).toEqual([
      ['A refund', 'Within seven days…'],
      ['My turn', 'Soon.'],
    ])
    await deleteSavedReply(sam, saved.id)
    await expect(deleteSavedReply(sam, saved.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(editSavedReply(sam, { ...saved, id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await actions()).toEqual([
      'saved_reply_added',
      'saved_reply_added',
      'saved_reply_changed',
      'saved_reply_deleted',
    ])
  })
})

describe('erasing a member', () => {
  test('deletes their threads with all answers and notes, and the mails of them', async () => {
    const me = await newPerson(club, 'zora')
    await submitSupportRequest(me, { category: 'other', subject: 'Zebrafish', message: 'Zebrafish one' })
    const id = await newestOf(me)
    const sam = await club.as('sam')
    await answerMessage(sam, { id, version: 1, body: 'Zebrafish two', resolve: false })
    await addNote(sam, { id, body: 'Zebrafish three' })
    await replyToAnswer(me, { id, message: 'Zebrafish four' })
    expect(await findRowsWith(club.system, ['Zebrafish'])).not.toEqual([])
    await eraseMember(club.system, me.who.id)
    expect(await findRowsWith(club.system, ['Zebrafish'])).toEqual([])
  })

  test('who answered messages leaves their answers without a name, and the open ones to others', async () => {
    const { writer, id } = await written()
    const max = await newPerson(club, 'max')
    await sql`update members set role = 'support' where id = ${max.who.id}`.execute(max.db)
    await answerMessage(max, { id, version: 1, body: 'I am on it.', resolve: false })
    await eraseMember(club.system, max.who.id)
    expect(await getThread(await club.as('sam'), id)).toMatchObject({
      assignedTo: null,
      entries: [{ author: 'Former staff', body: 'I am on it.' }],
    })
    expect((await getMyMessage(writer, id)).entries).toHaveLength(1)
  })
})
