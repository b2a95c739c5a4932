import { expect, test } from 'vitest'
import { useClub } from '#server/testing/club.ts'
import { makeAdmin } from './roles.ts'

const club = useClub()

const roleOf = (username: string) =>
  club.system.db
    .selectFrom('members')
    .select('role')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()

test('the operator’s command makes a member an admin, and the record says so', async () => {
  expect(await makeAdmin(club.system, ' ANNA@evenhand.example ')).toBeNull()
  expect(await roleOf('anna')).toEqual({ role: 'admin' })
  const record = club.system.db
    .selectFrom('staffActions')
    .select(['actorId', 'action', 'before', 'after'])
    .where('memberId', '=', await club.idOf('anna'))
  expect(await record.execute()).toEqual([
    { actorId: null, action: 'role_changed', before: { role: 'user' }, after: { role: 'admin' } },
  ])
  expect(await makeAdmin(club.system, 'anna@evenhand.example')).toBe('already')
})

test('it changes nothing for an address that no member has, or that is not confirmed', async () => {
  expect(await makeAdmin(club.system, 'someone@evenhand.example')).toBe('missing')
  await club.newMember('unseen')
  await club.system.db
    .updateTable('members')
    .set({ emailVerified: false })
    .where('username', '=', 'unseen')
    .execute()
  expect(await makeAdmin(club.system, 'unseen@evenhand.example')).toBe('unconfirmed')
  expect(await roleOf('unseen')).toEqual({ role: 'user' })
})
