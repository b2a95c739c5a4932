import type { Address } from './address.ts'
import { readAddress, readReplicas } from './address.ts'
import { StartError } from '#server/kit/start-error.ts'

/** The embedded server: `host` is the folder of its Unix socket. */
export type PgConnection = { host: string; port: number; user: string; database: string; password?: string }

/** Options for our client: `new DatabaseClient({ ...connection })`. */
export type Connection = PgConnection | Address

/**
 * The connection of this process: `DATABASE_URL`, or the embedded server that `npm start` describes in
 * `EVENHAND_PG_*`.
 */
export function connectionFromEnv(env: Record<string, string | undefined>): Connection {
  if (env.DATABASE_URL) {
    const address = readAddress('DATABASE_URL', env.DATABASE_URL)
    return env.DATABASE_DIRECT_URL ? { ...address, pooled: true } : address
  }
  if (!env.EVENHAND_PG_HOST || !env.EVENHAND_PG_USER) {
    throw new StartError('No database is named: start Evenhand with npm start, or set DATABASE_URL.')
  }
  return {
    host: env.EVENHAND_PG_HOST,
    port: Number(env.EVENHAND_PG_PORT ?? 5432),
    user: env.EVENHAND_PG_USER,
    database: env.EVENHAND_PG_DATABASE ?? 'evenhand',
  }
}

/**
 * The connection for what needs a session of its own: listening, locks that outlive a transaction, and the
 * job library. `DATABASE_DIRECT_URL`, where `DATABASE_URL` leads through a pooler, else the same.
 */
export function directConnectionFromEnv(env: Record<string, string | undefined>): Connection {
  return env.DATABASE_DIRECT_URL
    ? readAddress('DATABASE_DIRECT_URL', env.DATABASE_DIRECT_URL)
    : connectionFromEnv(env)
}

/** The servers that the operator named in `DATABASE_REPLICA_URL`, if any: one of them follows the primary. */
export function replicasFromEnv(env: Record<string, string | undefined>): Address[] {
  return env.DATABASE_REPLICA_URL ? readReplicas('DATABASE_REPLICA_URL', env.DATABASE_REPLICA_URL) : []
}

/** The environment that gives a child process the same connection. */
export function connectionToEnv(connection: Connection): Record<string, string> {
  if ('connectionString' in connection) return { DATABASE_URL: connection.text }
  return {
    EVENHAND_PG_HOST: connection.host,
    EVENHAND_PG_PORT: String(connection.port),
    EVENHAND_PG_USER: connection.user,
    EVENHAND_PG_DATABASE: connection.database,
  }
}
