// The database of an npm script: the embedded server, or the one that DATABASE_URL names.
import type { Connection } from '#server/kit/db/connection.ts'
import type { Embedded } from '#server/kit/postgres/postgres.ts'
import type { Role } from '#server/kit/postgres/roles.ts'

export type Database = {
  /** With DATABASE_URL the operator chooses a login for each role; by default they share one. */
  connectionFor(role: Role): Connection
  /** Restarts an embedded server that died. Does nothing for an external server. */
  revive(): Promise<void>
  /** Stops the embedded server if we own it. */
  stop(): Promise<void>
}

/**
 * @param log receives lines for the operator
 * @throws StartError when the database cannot be used
 */
export async function openDatabase(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  log: (line: string) => void,
): Promise<Database> {
  return env.DATABASE_URL ? openExternal(env, env.DATABASE_URL) : openEmbedded(dataDir, log)
}

async function openExternal(env: NodeJS.ProcessEnv, url: string): Promise<Database> {
  const { checkExternal } = await import('#server/kit/postgres/external.ts')
  await checkExternal(url)
  const urls: Partial<Record<Role, string>> = {
    evenhand_migrate: env.DATABASE_URL_MIGRATE,
    evenhand_worker: env.DATABASE_URL_WORKER,
  }
  return {
    connectionFor: (role) => ({ connectionString: urls[role] || url }),
    revive: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }
}

async function openEmbedded(dataDir: string, log: (line: string) => void): Promise<Database> {
  const { startEmbedded } = await import('#server/kit/postgres/postgres.ts')
  let server: Embedded = await startEmbedded({ dataDir, log })
  return {
    connectionFor: (user) => ({ ...server.connection, user }),
    async revive() {
      if (server.isRunning()) return
      log('PostgreSQL has died; starting it again.')
      server = await startEmbedded({ dataDir, log })
    },
    stop: () => server.stop(),
  }
}
