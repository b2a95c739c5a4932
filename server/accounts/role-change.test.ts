import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/members.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { lockAdmins } from '#server/members/erasure.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Answer, Browser } from '#server/testing/browser.ts'

const club = useFreshClub()
const edge = useEdge(club)

let count = 0
let ada: Browser

/** A new member of this role with a second factor, signed in. */
async function someone(role: Role) {
  const username = `person-${(count += 1)}`
  const { who } = await club.newMember(username)
  await sql`update members set role = ${role}, two_factor_enabled = true where id = ${who.id}`.execute(
    club.system.db,
  )
  return { id: who.id, username, browser: await edge.signIn(username) }
}

/** Leaves `ada` as the only admin. */
beforeEach(async () => {
  await sql`update members set role = 'user' where role = 'admin' and username <> 'ada'`.execute(
    club.system.db,
  )
  await sql`update members set role = 'admin', two_factor_enabled = true where username = 'ada'`.execute(
    club.system.db,
  )
  await club.system.db.deleteFrom('rateCounters').execute()
  ada = await edge.signIn('ada')
})

const change = (browser: Browser, id: string, from: Role, role: Role, reason = 'Joins the team') =>
  browser.post(`/api/admin/users/${id}/role`, { from, role, reason })

async function roleOf(id: string) {
  const row = await club.system.db
    .selectFrom('members')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.role
}

const adaId = () => club.idOf('ada')

describe('a change of role', () => {
  test('is recorded once with actor, reason, before and after', async () => {
    const { id } = await someone('user')
    expect((await change(ada, id, 'user', 'support')).json).toEqual({ ok: true })
    expect(await roleOf(id)).toBe('support')
    const { db } = club.system
    const actions = await db.selectFrom('staffActions').selectAll().where('memberId', '=', id).execute()
    expect(actions).toMatchObject([
      {
        action: 'role_changed',
        actorId: await adaId(),
        reason: 'Joins the team',
        before: { role: 'user' },
        after: { role: 'support' },
      },
    ])
    const changes = await db
      .selectFrom('roleChanges')
      .select(['oldRole', 'newRole', 'actorId'])
      .where('memberId', '=', id)
      .execute()
    expect(changes).toEqual([{ oldRole: 'user', newRole: 'support', actorId: await adaId() }])
    const log = await db
      .selectFrom('activityLogs')
      .select('metadata')
      .where('action', '=', 'role_changed')
      .where('memberId', '=', id)
      .execute()
    expect(log).toEqual([{ metadata: { oldRole: 'user', newRole: 'support' } }])
  })

  test('ends the member’s sessions, and no others', async () => {
    const { id, browser } = await someone('support')
    expect((await browser.get('/api/admin/users')).status).toBe(200)
    await change(ada, id, 'support', 'user', 'Left the team')
    expect((await browser.get('/api/admin/users')).status).toBe(401)
    expect((await ada.get('/api/admin/users')).status).toBe(200)
  })

  test('sends a mail to every admin and to the member, and none of them names a member', async () => {
    const other = await someone('admin')
    const { id, username } = await someone('user')
    await change(ada, id, 'user', 'admin')
    const mails = await club.system.db
      .selectFrom('mails')
      .select(['memberId', 'template', 'props'])
      .where('template', 'like', '%role-changed')
      .where(sql<boolean>`created_at > clock_timestamp() - interval '1 minute'`)
      .where((eb) => eb.or([eb('memberId', '=', id), eb(sql`props ->> 'memberId'`, '=', id)]))
      .execute()
    const sent = mails.map(({ memberId, template }) => `${template} ${memberId}`).toSorted()
    expect(sent).toEqual(
      [`own-role-changed ${id}`, `role-changed ${await adaId()}`, `role-changed ${other.id}`].toSorted(),
    )
    expect(JSON.stringify(mails)).not.toContain(username)
  })

  test('needs an admin who confirmed their identity, and a reason', async () => {
    const { id } = await someone('user')
    for (const role of ['user', 'support'] as const) {
      const { browser } = await someone(role)
      expect((await change(browser, id, 'user', 'admin')).json).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect((await change(ada, id, 'user', 'admin', '  ')).status).toBe(400)
    await sql`update sessions set confirmed_at = confirmed_at - interval '11 minutes'
      where id = ${ada.sessionId}`.execute(club.system.db)
    expect((await change(ada, id, 'user', 'admin')).json).toMatchObject({ code: 'NOT_FRESH' })
    expect(await roleOf(id)).toBe('user')
  })

  test('is refused for one’s own role, an outdated screen and an unknown member', async () => {
    const { id } = await someone('support')
    expect((await change(ada, await adaId(), 'admin', 'user')).json).toMatchObject({
      code: 'OWN_ROLE',
      status: 409,
    })
    expect((await change(ada, id, 'user', 'admin')).json).toMatchObject({ code: 'CONFLICT' })
    const unknown = id.replace(/.{4}$/, '0000')
    expect((await change(ada, unknown, 'user', 'admin')).status).toBe(409)
    expect(await roleOf(id)).toBe('support')
  })
})

describe('two admins who demote each other at once', () => {
  /** Both requests have passed the gate before either of them can change anything. */
  async function atOnce(requests: (() => Promise<Answer>)[]) {
    const { sent } = await inTransaction(club.system, async (ctx) => {
      await lockAdmins(ctx)
      const sent = requests.map((send) => send())
      for (let waiting = 0; waiting < requests.length;) {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(club.system.kit.db)
        waiting = rows.length
      }
      return { sent }
    })
    return Promise.all(sent)
  }

  test('leave one: the other is refused with 409', async () => {
    const other = await someone('admin')
    const me = await adaId()
    const answers = await atOnce([
      () => change(ada, other.id, 'admin', 'user'),
      () => change(other.browser, me, 'admin', 'user'),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'ONLY_ADMIN' })
    const { rows } = await sql`select from members where role = 'admin'`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })

  test('an admin who was demoted meanwhile changes no role any more', async () => {
    const [other, third] = [await someone('admin'), await someone('user')]
    await someone('admin')
    const answers = await atOnce([
      () => change(ada, other.id, 'admin', 'user'),
      () => change(other.browser, third.id, 'user', 'admin'),
    ])
    // Usually the demotion gets the locks first. If not, the other admin was one when they acted.
    const [demotion, promotion] = answers.map(({ status }) => status)
    expect(demotion).toBe(200)
    expect([200, 403]).toContain(promotion)
    expect(await roleOf(third.id)).toBe(promotion === 403 ? 'user' : 'admin')
  })
})
