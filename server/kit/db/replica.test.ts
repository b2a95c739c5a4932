import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx, Replica } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { openLog } from '#server/kit/log.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { inTransaction } from './db.ts'
import { onReplica, openReplica } from './replica.ts'

const club = useFreshClub()
// Stands in for a server that follows: another database, so that a read shows where it ran.
const copy = useFreshClub()

let replica: Replica
let ctx: Ctx
beforeAll(() => {
  const opened = openReplica([copy.connection], openLog('test', 'silent'))
  if (!opened) throw new Error('A replica was named.')
  replica = opened
  ctx = { ...club.system, kit: { ...club.system.kit, replica } }
})
afterAll(() => replica.close())

async function placeOf(ctx: Ctx) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db)
  return rows[0]?.name
}

/** Lets the copy look as if it had received what was committed so long ago. */
async function follow(age: string, { db } = copy.system) {
  await sql`delete from processes`.execute(db)
  await sql`insert into processes (id, kind, version, node, host, pid, started_at, seen_at)
    values (${newId()}, 'web', '1', '1', 'here', 1, clock_timestamp(),
      clock_timestamp() - ${age}::interval)`.execute(db)
}

test('what may be seconds old is read from a replica that follows, and else from the primary', async () => {
  const [primary, second] = [club.connection.database, copy.connection.database]
  expect(replica.fresh()).toBeUndefined()
  expect(await onReplica(ctx, placeOf)).toBe(primary)
  await follow('1 second')
  await expect.poll(() => replica.fresh()).toBeDefined()
  expect(await onReplica(ctx, placeOf)).toBe(second)
  // What a transaction has written is not on the replica.
  expect(await inTransaction(ctx, (open) => onReplica(open, placeOf))).toBe(primary)
  expect(await onReplica(club.system, placeOf)).toBe(primary)
  await follow('31 seconds')
  await expect.poll(() => replica.fresh()).toBeUndefined()
  expect(await onReplica(ctx, placeOf)).toBe(primary)
})

test('a replica that is lost during a read costs no answer, and is used again when it is back', async () => {
  await follow('1 second')
  await expect.poll(() => replica.fresh()).toBeDefined()
  const read = async (ctx: Ctx) => {
    const place = await placeOf(ctx)
    if (place === copy.connection.database)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db)
    return place
  }
  expect(await onReplica(ctx, read)).toBe(club.connection.database)
  await expect.poll(() => replica.fresh()).toBeDefined()
  expect(await onReplica(ctx, placeOf)).toBe(copy.connection.database)
})

test('of several servers the standby is used, not the primary nor one that was promoted', async () => {
  for (const server of [club.system, copy.system]) await follow('1 second', server)
  const primary = club.connection
  await standIn('true')
  const several = openReplica([primary, copy.connection], openLog('test', 'silent'))
  if (!several) throw new Error('Replicas were named.')
  const both = { ...ctx, kit: { ...ctx.kit, replica: several } }
  try {
    await expect.poll(() => onReplica(both, placeOf)).toBe(copy.connection.database)
    await standIn('false')
    await expect.poll(() => several.fresh()).toBeUndefined()
    expect(await onReplica(both, placeOf)).toBe(primary.database)
  } finally {
    await several.close()
  }
})

/** What the copy says when it is asked whether it follows another server. */
async function standIn(follows: 'true' | 'false') {
  const name = sql.id(copy.connection.database)
  await sql`create schema if not exists asked`.execute(copy.system.db)
  await sql`create or replace function asked.pg_is_in_recovery() returns boolean language sql
    as ${sql.lit(`select ${follows}`)}`.execute(copy.system.db)
  await sql`grant usage on schema asked to public`.execute(copy.system.db)
  await sql`alter database ${name} set search_path = asked, pg_catalog, public`.execute(copy.system.db)
}

test('a fault of the read itself is not tried again', async () => {
  await follow('1 second')
  await expect.poll(() => replica.fresh()).toBeDefined()
  let times = 0
  const fails = (ctx: Ctx) => {
    times += 1
    return sql`select 1 / 0`.execute(ctx.db)
  }
  await expect(onReplica(ctx, fails)).rejects.toThrow('division by zero')
  expect(times).toBe(1)
})
