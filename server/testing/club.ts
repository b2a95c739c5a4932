import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ControlledTransaction } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import type { DB } from '#db/types.ts'
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import type { Config } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Ctx, JobData, Kit, MemberCtx } from '#server/kit/ctx.ts'
import { actAs, newId, systemCtx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import type { Database } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openLog } from '#server/kit/log.ts'
import { findBreachesAtOnce, nameStatements } from './planned-once.ts'
import { awayFromMidnight } from './clock.ts'

/** A club in a test: the seeded cast on a real PostgreSQL, and a context for each member. */
export type Club = {
  /** Acts for the system. */
  readonly system: Ctx
  /** Acts for a member of the cast, by username. */
  as(username: string): Promise<MemberCtx>
  /** The id of a member of the cast. */
  idOf(username: string): Promise<string>
  /** Adds a verified, active member with this username. */
  newMember(username: string): Promise<MemberCtx>
  /** Jobs sent so far, in order. They do not run by themselves; a test runs the ones it needs. */
  readonly sent: { name: string; data: JobData }[]
  readonly config: Config
  readonly connection: PgConnection
}

const log = openLog('test', 'silent')
/** The database of this process, which its files share: a statement is planned once on each connection. */
let shared: { connection: PgConnection; database: Database } | undefined
// On a busy machine, races wait longer for a lock than a process of the club would let them.
const lockSeconds = 60

/**
 * Runs each test in a transaction, checks the invariants in it, and rolls it back. For tests that need only
 * one connection.
 */
export function useClub(): Club {
  const state = newState()
  let database: Database
  let open: ControlledTransaction<DB> | undefined
  beforeAll(async () => {
    shared ??= await openShared()
    state.connection = shared.connection
    database = shared.database
    state.folder = await mkdtemp(join(tmpdir(), 'evenhand-files-'))
  })
  beforeEach(awayFromMidnight)
  beforeEach(async () => {
    open = await database.db.startTransaction().execute()
    // A test does other things meanwhile, for longer than a process of the club would.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(open)
    // These transactions never commit, so the deferred foreign key is checked at once.
    state.begin({ db: open, tx: { savepoints: 0, afterCommit: [], afterRollback: [] } })
  })
  afterEach(async () => {
    if (!open) return
    try {
      expect(await findBreachesAtOnce(open), 'broken invariants').toEqual([])
    } finally {
      await open.rollback().execute()
    }
  })
  afterAll(() => rm(state.folder, { recursive: true, force: true }))
  return state.club
}

async function openShared() {
  const connection = await workerDatabase()
  const database = openDatabase(connection, { name: 'test', log, max: 3 })
  nameStatements(database.pool)
  return { connection, database }
}

/**
 * A separate database for one test file, where transactions commit: for races, jobs and live updates. The
 * invariants are checked at the end.
 */
export function useFreshClub({ max = 20 }: { max?: number } = {}): Club & { readonly database: Database } {
  const state = newState()
  let database: Database | undefined
  const name = `f_${newId().replaceAll('-', '')}`
  beforeAll(async () => {
    state.connection = { ...inject('postgres'), database: name }
    state.folder = await mkdtemp(join(tmpdir(), 'evenhand-files-'))
    await onServer(`create database ${name} template base strategy = file_copy`)
    database = openDatabase(state.connection, { name: 'test', log, max, lockSeconds })
    state.begin({ db: database.db })
  })
  beforeEach(awayFromMidnight)
  afterAll(async () => {
    try {
      if (database) expect(await findBreaches(database.db), 'broken invariants').toEqual([])
    } finally {
      await database?.close()
      await onServer(`drop database if exists ${name} with (force)`)
      await rm(state.folder, { recursive: true, force: true })
    }
  })
  return Object.defineProperty(state.club, 'database', { get: () => database }) as Club & {
    readonly database: Database
  }
}

function newState() {
  const config = readConfig({
    EVENHAND_MODE: 'demo',
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789-abcdef',
    PUBLIC_ORIGIN: 'http://localhost:3000',
  })
  config.useTime.longestSeconds = Number.POSITIVE_INFINITY
  const sent: { name: string; data: JobData }[] = []
  const state = {
    connection: undefined as unknown as PgConnection,
    folder: '',
    ctx: undefined as unknown as Ctx,
    club: undefined as unknown as Club,
    begin({ db, tx }: Pick<Ctx, 'db' | 'tx'>) {
      sent.length = 0
      const kit: Kit = {
        db,
        files: openFiles({ dataDir: state.folder }),
        reactions,
        jobs: {
          send: async (_ctx, name, data = {}) => void sent.push({ name, data }),
          stop: async () => {},
        },
      }
      state.ctx = { ...systemCtx(kit, config, log), db, ...(tx ? { tx } : {}) }
    },
  }
  const idOf = async (username: string) => {
    const row = await state.ctx.db
      .selectFrom('members')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return row.id
  }
  const as = async (username: string): Promise<MemberCtx> => {
    const row = await state.ctx.db
      .selectFrom('members')
      .select(['id', 'role', 'twoFactorEnabled'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return actAs(state.ctx, { id: row.id, role: row.role, sessionId: null, twoFactor: row.twoFactorEnabled })
  }
  state.club = {
    get system() {
      return state.ctx
    },
    get connection() {
      return state.connection
    },
    idOf,
    as,
    sent,
    config,
    async newMember(username) {
      const id = newId()
      await sql`insert into members (id, email, email_verified, username, display_name)
        values (${id}, ${`${username}@evenhand.example`}, true, ${username}, ${username})`.execute(
        state.ctx.db,
      )
      await sql`insert into memberships (member_id, status, source, current_period_end, started_at)
        values (${id}, 'active', 'demo', clock_timestamp() + interval '30 days', clock_timestamp())`.execute(
        state.ctx.db,
      )
      await sql`insert into reviewer_states (member_id, standing, tier, last_seen_at, audit_key)
        values (${id}, 'in', 1, clock_timestamp(),
          decode(md5(${id}::text) || md5(${username}::text), 'hex'))`.execute(state.ctx.db)
      return as(username)
    },
  }
  return state
}

async function workerDatabase(): Promise<PgConnection> {
  const name = `w${process.env.VITEST_POOL_ID ?? '1'}`
  const connection = { ...inject('postgres'), database: name }
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${name} template base strategy = file_copy`)
  await client.end()
  return connection
}

async function onServer(statement: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
