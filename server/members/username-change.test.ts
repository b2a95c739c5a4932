import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { usernameChangeDays, usernameReservedDays } from '#contract/members.ts'
import { signUp } from '#server/accounts/sign-up.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import { getProfile } from './reads.ts'
import { changeUsername, deleteExpiredUsernames } from './username-change.ts'
import { setUsername, isUsernameTaken } from './usernames.ts'

// Every run uses the same seed, so that a failure can be reproduced.
fc.configureGlobal({ seed: 1 })

const usernameOf = async (ctx: MemberCtx) => {
  const me = await ctx.db
    .selectFrom('members')
    .select('username')
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  return me.username
}

/** Moves every change of a username this many days into the past. */
async function letPass({ db }: Ctx, days: number) {
  await sql`update members
    set username_changed_at = username_changed_at - make_interval(days => ${days})`.execute(db)
  await sql`update reserved_usernames
    set reserved_until = reserved_until - make_interval(days => ${days})`.execute(db)
}

const refusal = (code: string) => ({ code })

describe('a change of username', () => {
  const club = useClub()

  test('gives me the new one, updates my screens, sends me a mail, and is logged', async () => {
    const anna = await club.as('anna')
    await changeUsername(anna, '  Anna-Two ')
    expect(await usernameOf(anna)).toBe('anna-two')
    const { rows } = await sql<{ mails: number; events: number; entries: number }>`
      select
        (select count(*) from mails
          where member_id = ${anna.who.id} and template = 'username-changed') as mails,
        (select count(*) from events
          where name = 'member.changed' and recipients = array[${anna.who.id}::uuid]) as events,
        (select count(*) from activity_logs
          where member_id = ${anna.who.id} and action = 'username_changed') as entries`.execute(anna.db)
    expect(rows[0]).toEqual({ mails: 1, events: 1, entries: 1 })
  })

  test('reserves the old one for me: others find it taken everywhere', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    await changeUsername(anna, 'anna-two')
    await expect(changeUsername(ben, 'anna')).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    const newcomer = await club.newMember('newcomer')
    await sql`update members set username = null where id = ${newcomer.who.id}`.execute(club.system.db)
    await expect(setUsername(newcomer, 'anna')).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    const input = { email: 'someone@mail.example', password: 'violet-dragon-lamp', username: 'anna' }
    await expect(signUp(club.system, input)).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    expect(await isUsernameTaken(club.system, 'anna')).toBe(true)
    expect(await isUsernameTaken(ben, 'anna')).toBe(true)
    for (const mine of ['anna', 'anna-two']) expect(await isUsernameTaken(anna, mine)).toBe(false)
    expect(await isUsernameTaken(ben, 'anna-two')).toBe(true)
  })

  test('is possible once in 30 days, and the refusal says when it is possible again', async () => {
    const anna = await club.as('anna')
    await changeUsername(anna, 'anna-two')
    const { usernameChangeAt } = await getProfile(anna)
    await expect(changeUsername(anna, 'anna-three')).rejects.toMatchObject({
      code: 'USERNAME_TOO_SOON',
      data: { at: usernameChangeAt, field: 'username' },
    })
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from ${usernameChangeAt}::timestamptz - clock_timestamp()) / 86400
        as days`.execute(anna.db)
    expect(Number(rows[0]?.days)).toBeCloseTo(usernameChangeDays, 2)
    await letPass(anna, usernameChangeDays)
    expect(await getProfile(anna)).toMatchObject({ usernameChangeAt: null })
    await changeUsername(anna, 'anna-three')
    expect(await usernameOf(anna)).toBe('anna-three')
  })

  test('lets me take back my old username, which is then no longer reserved', async () => {
    const anna = await club.as('anna')
    await changeUsername(anna, 'anna-two')
    expect((await getProfile(anna)).reservedUsernames).toMatchObject([{ username: 'anna' }])
    await expect(changeUsername(anna, 'anna')).rejects.toMatchObject(refusal('USERNAME_TOO_SOON'))
    await letPass(anna, usernameChangeDays)
    await changeUsername(anna, 'anna')
    expect(await usernameOf(anna)).toBe('anna')
    expect((await getProfile(anna)).reservedUsernames).toMatchObject([{ username: 'anna-two' }])
  })

  test('frees the old one after 90 days, whether or not the nightly job has run', async () => {
    const [anna, ben, clara] = [await club.as('anna'), await club.as('ben'), await club.as('clara')]
    await changeUsername(anna, 'anna-two')
    await letPass(anna, usernameReservedDays - 1)
    await expect(changeUsername(ben, 'anna')).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    await letPass(anna, 1)
    expect((await getProfile(anna)).reservedUsernames).toEqual([])
    await changeUsername(ben, 'anna')
    expect(await usernameOf(ben)).toBe('anna')
    await changeUsername(clara, 'clara-two')
    await deleteExpiredUsernames(club.system)
    const left = await anna.db
      .selectFrom('reservedUsernames')
      .select('username')
      .orderBy('username')
      .execute()
    expect(left.map(({ username }) => username)).toEqual(['ben', 'clara'])
  })

  test('does not count the first choice', async () => {
    const newcomer = await club.newMember('newcomer')
    await sql`update members set username = null where id = ${newcomer.who.id}`.execute(club.system.db)
    await expect(changeUsername(newcomer, 'too-early')).rejects.toMatchObject(refusal('CONFLICT'))
    await setUsername(newcomer, 'first-choice')
    await changeUsername(newcomer, 'second-choice')
    expect(await usernameOf(newcomer)).toBe('second-choice')
  })

  test('to my current username changes nothing and does not count', async () => {
    const anna = await club.as('anna')
    await changeUsername(anna, 'Anna')
    expect(await getProfile(anna)).toMatchObject({ usernameChangeAt: null, reservedUsernames: [] })
  })

  test.each([
    ['ab', 'INVALID_USERNAME'],
    ['1anna', 'INVALID_USERNAME'],
    ['anna\0', 'INVALID_USERNAME'],
    ['ben', 'USERNAME_TAKEN'],
    ['support', 'USERNAME_TAKEN'],
  ])('to %j is %s', async (username, code) => {
    await expect(changeUsername(await club.as('anna'), username)).rejects.toMatchObject(refusal(code))
  })

  test('to the username of an erased member is refused while it is reserved', async () => {
    await sql`insert into reserved_usernames (username, reserved_until)
      values ('erased-one', clock_timestamp() + interval '1 day')`.execute(club.system.db)
    const anna = await club.as('anna')
    await expect(changeUsername(anna, 'erased-one')).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    expect(await isUsernameTaken(club.system, 'erased-one')).toBe(true)
  })

  test('keeps its time limits for any sequence of changes', async () => {
    const names = ['name-a', 'name-b', 'name-c']
    const step = fc.oneof(
      { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 60 }) }) },
      { weight: 3, arbitrary: fc.record({ who: fc.nat(1), name: fc.constantFrom(...names) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const undo = new Error('undone')
        const played = inTransaction(club.system, async (system) => {
          const calendar = newCalendar(['anna', 'ben'])
          const members = [await club.as('anna'), await club.as('ben')].map((ctx) => ({
            ...ctx,
            ...pick(system),
          }))
          for (const next of steps) {
            if ('days' in next) {
              await letPass(system, next.days)
              calendar.letPass(next.days)
            } else {
              const happened = await changeUsername(members[next.who] as MemberCtx, next.name).then(
                () => 'changed',
                (error: unknown) => (isRefusal(error) ? error.code : error),
              )
              expect(happened).toBe(calendar.change(next.who, next.name))
            }
          }
          throw undo
        })
        await expect(played).rejects.toBe(undo)
      }),
      { numRuns: 25 },
    )
  })

  const pick = ({ db, tx }: Ctx) => ({ db, ...(tx ? { tx } : {}) })
})

/** A simple model of the rule: who has which username on which day. */
function newCalendar(names: string[]) {
  let today = 0
  const members = names.map((name) => ({ name, changeable: 0 }))
  const reserved = new Map<string, { owner: number; until: number }>()
  return {
    letPass: (days: number) => (today += days),
    change(who: number, name: string) {
      const me = members[who] ?? { name: '', changeable: 0 }
      if (me.name === name) return 'changed'
      if (me.changeable > today) return 'USERNAME_TOO_SOON'
      const held = reserved.get(name)
      if (members.some((member) => member.name === name)) return 'USERNAME_TAKEN'
      if (held && held.owner !== who && held.until > today) return 'USERNAME_TAKEN'
      reserved.delete(name)
      reserved.set(me.name, { owner: who, until: today + usernameReservedDays })
      members[who] = { name, changeable: today + usernameChangeDays }
      return 'changed'
    },
  }
}

describe('at once', () => {
  const club = useFreshClub()

  test('two members who choose one username give it one owner', async () => {
    for (let n = 0; n < 5; n += 1) {
      const wanted = `wanted-${n}`
      const claimants = [await club.newMember(`one-${n}`), await club.newMember(`two-${n}`)]
      const outcomes = await Promise.allSettled(claimants.map((ctx) => changeUsername(ctx, wanted)))
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const lost = outcomes.find((outcome) => outcome.status === 'rejected')
      expect(lost?.reason).toMatchObject(refusal('USERNAME_TAKEN'))
    }
  })

  test('two changes by one member count as one', async () => {
    const ctx = await club.newMember('hasty')
    const outcomes = await Promise.allSettled([
      changeUsername(ctx, 'hasty-one'),
      changeUsername(ctx, 'hasty-two'),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await getProfile(ctx)).reservedUsernames).toMatchObject([{ username: 'hasty' }])
  })

  test('a username that is taken and given up between check and write is refused to others', async () => {
    const [quick, slow] = [await club.newMember('quick'), await club.newMember('slow')]
    // The slow member's write waits for the quick one's index entry. Then the quick one gives the username
    // up.
    const written = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const quickly = inTransaction(quick, async (ctx) => {
      await changeUsername(ctx, 'between')
      await sql`update members set username_changed_at = null where id = ${quick.who.id}`.execute(ctx.db)
      written.resolve()
      await released.promise
      await changeUsername(ctx, 'quick-two')
    })
    await Promise.race([written.promise, quickly])
    const slowly = changeUsername(slow, 'between')
    slowly.catch(() => {})
    while ((await waiting(quick)) === 0) await new Promise((resolve) => setImmediate(resolve))
    released.resolve()
    await quickly
    await expect(slowly).rejects.toMatchObject(refusal('USERNAME_TAKEN'))
    expect(await usernameOf(slow)).toBe('slow')
  })

  async function waiting({ db }: Ctx) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.count ?? 0
  }
})
