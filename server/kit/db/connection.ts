import { StartError } from '#server/kit/start-error.ts'

/** The embedded server: `host` is the folder of its Unix socket. */
export type PgConnection = { host: string; port: number; user: string; database: string; password?: string }

/** Options for `pg`: `new Pool({ ...connection })`. */
export type Connection = PgConnection | { connectionString: string }

/**
 * The connection of this process: `DATABASE_URL`, or the embedded server that `npm start` describes in
 * `EVENHAND_PG_*`.
 */
export function connectionFromEnv(env: Record<string, string | undefined>): Connection {
  if (env.DATABASE_URL) return { connectionString: env.DATABASE_URL }
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

/** The environment that gives a child process the same connection. */
export function connectionToEnv(connection: Connection): Record<string, string> {
  if ('connectionString' in connection) return { DATABASE_URL: connection.connectionString }
  return {
    EVENHAND_PG_HOST: connection.host,
    EVENHAND_PG_PORT: String(connection.port),
    EVENHAND_PG_USER: connection.user,
    EVENHAND_PG_DATABASE: connection.database,
  }
}
