import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useClub } from '#server/testing/club.ts'
import { openLog } from './log.ts'

const club = useClub()
const canary = 'hunter2-canary'

let lines: string[]
beforeEach(() => {
  lines = []
})
afterEach(() => vi.restoreAllMocks())

/** A log that collects its lines instead of writing them. */
function caught(level = 'trace') {
  return openLog('test', level, { write: (line) => void lines.push(line) })
}

const last = () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>

describe('a line of the log', () => {
  test('carries the fields that are allowed, when and where from', () => {
    caught().info({ requestId: 'r1', status: 200, ms: 3 }, 'answered')
    expect(last()).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      process: 'test',
      requestId: 'r1',
      status: 200,
      ms: 3,
      msg: 'answered',
    })
  })

  test('carries no other, however it is handed over', () => {
    const log = caught()
    const secrets = {
      password: canary,
      token: canary,
      cookie: canary,
      authorization: canary,
      email: canary,
      body: canary,
    }
    log.info(secrets, 'one')
    log.info(
      { requestId: 'r1', ...secrets, headers: secrets, req: { headers: secrets }, user: secrets },
      'two',
    )
    log.child(secrets).info('three')
    log.child({ requestId: 'r2', session: secrets }).warn({ ...secrets }, 'four')
    // Under an allowed name, only plain values pass.
    log.info({ reason: secrets, event: [canary], requestId: secrets }, 'five')
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain(canary)
    expect(lines.join('')).toContain('"requestId":"r2"')
  })

  test('is one line, whatever is in it', () => {
    caught().warn({ reason: 'a\nb\r\n{"level":50,"msg":"forged"}', code: '\u2028' }, 'x\ny')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/)
    expect(last()).toMatchObject({ level: 40, reason: 'a\nb\r\n{"level":50,"msg":"forged"}' })
  })

  test('of an error holds its kind and place, and no value of a row or a member', async () => {
    const { db } = club.system
    const ours = await db
      .selectFrom('members')
      .select('email')
      .where('username', '=', 'anna')
      .executeTakeFirstOrThrow()
    const failing = [
      sql`insert into members (id, email, username, display_name)
        values (gen_random_uuid(), ${ours.email}, 'other1', 'x')`,
      sql`select ${canary}::uuid`,
      sql`select ${canary}::jsonb`,
      sql`select ${canary}::timestamptz`,
      sql`select cast(${canary} as integer)`,
      sql`insert into mails (id, dedupe_key, to_address, template)
        values (gen_random_uuid(), 'x', ${`${canary} , `}, 'x')`,
    ]
    for (const query of failing) {
      await sql`savepoint here`.execute(db)
      const err: unknown = await query.execute(db).catch((error: unknown) => error)
      await sql`rollback to savepoint here`.execute(db)
      caught().error({ err }, 'failed')
      expect(last()).toMatchObject({
        err: { code: expect.any(String), message: expect.any(String), stack: expect.any(String) },
      })
    }
    const bug: unknown = await Promise.reject(
      Object.assign(new Error('a bug'), { secret: canary, cause: new Error(canary) }),
    ).catch((error: unknown) => error)
    caught().error({ err: bug }, 'failed')
    expect(lines.join('')).not.toContain(canary)
    expect(lines.join('')).not.toContain(ours.email)
  })

  test('of text that is no JSON does not quote it', () => {
    try {
      JSON.parse(`{"password":"${canary}"`)
    } catch (err) {
      caught().error({ err }, 'failed')
    }
    try {
      JSON.parse(`${canary} is no JSON`)
    } catch (err) {
      caught().error({ err }, 'failed')
    }
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toContain('hunter2')
  })

  test('of a copy of an error, as the job library hands it over, has its message', () => {
    caught().error(
      { err: { ...new Error(), message: 'the database is starting up', queue: 'mail' } },
      'failed',
    )
    expect(lines[0]).toContain('"err":{"message":"the database is starting up"}')
    caught().error({ err: { code: '22P02', message: `invalid input syntax: "${canary}"` } }, 'failed')
    expect(lines[1]).not.toContain(canary)
  })

  test('of an error of PostgreSQL names no constraint where there is none', () => {
    caught().error({ err: Object.assign(new Error('starting up'), { constraint: undefined }) }, 'failed')
    expect(lines[0]).not.toContain('constraint')
  })

  test('of something thrown that is no error is short', () => {
    caught().error({ err: 'x'.repeat(10_000) }, 'failed')
    expect(lines[0]?.length).toBeLessThan(1000)
  })
})
