// The database of an npm script: the embedded server, or the one that DATABASE_URL names.
import { readAddress } from '#server/kit/db/address.ts'
import type { Address } from '#server/kit/db/address.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Embedded } from '#server/kit/postgres/postgres.ts'
import { refusePooling } from '#server/kit/postgres/pooling.ts'
import type { Role } from '#server/kit/postgres/roles.ts'

export type Database = {
  /**
   * One that keeps its session. With DATABASE_URL the operator chooses a login for each role; by default they
   * share one.
   */
  connectionFor(role: Role): Connection
  /** The environment that gives a process its connections and no others. */
  environmentFor(role: Role): Record<string, string>
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
  return env.DATABASE_URL ? openExternal(env) : openEmbedded(dataDir, log)
}

async function openExternal(env: NodeJS.ProcessEnv): Promise<Database> {
  const { checkExternal } = await import('#server/kit/postgres/external.ts')
  const shared = addressesOf(env, ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
  const workers = addressesOf(env, [
    env.DATABASE_URL_WORKER ? 'DATABASE_URL_WORKER' : 'DATABASE_URL',
    env.DATABASE_DIRECT_URL_WORKER ? 'DATABASE_DIRECT_URL_WORKER' : 'DATABASE_DIRECT_URL',
  ])
  const migrations = env.DATABASE_URL_MIGRATE
    ? readAddress('DATABASE_URL_MIGRATE', env.DATABASE_URL_MIGRATE)
    : shared.direct
  await checkExternal(shared)
  if (migrations !== shared.direct) await refusePooling({ connection: migrations, direct: migrations })
  const of: Partial<Record<Role, Addresses>> = {
    evenhand_migrate: { connection: migrations, direct: migrations },
    evenhand_worker: workers,
  }
  return {
    connectionFor: (role) => (of[role] ?? shared).direct,
    environmentFor(role) {
      const { connection, direct } = of[role] ?? shared
      return {
        ...connectionToEnv(connection),
        ...(connection.pooled && { DATABASE_DIRECT_URL: direct.text }),
      }
    },
    revive: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }
}

type Addresses = { connection: Address; direct: Address }

/** Reads the addresses in these two settings, of which the second may be missing. */
function addressesOf(env: NodeJS.ProcessEnv, [setting, direct]: [string, string]): Addresses {
  const address = readAddress(setting, env[setting] ?? '')
  const directUrl = env[direct]
  if (!directUrl) return { connection: address, direct: address }
  return { connection: { ...address, pooled: true }, direct: readAddress(direct, directUrl) }
}

async function openEmbedded(dataDir: string, log: (line: string) => void): Promise<Database> {
  const { startEmbedded } = await import('#server/kit/postgres/postgres.ts')
  let server: Embedded = await startEmbedded({ dataDir, log })
  return {
    connectionFor: (user) => ({ ...server.connection, user }),
    environmentFor: (user) => connectionToEnv({ ...server.connection, user }),
    async revive() {
      if (server.isRunning()) return
      log('PostgreSQL has died; starting it again.')
      server = await startEmbedded({ dataDir, log })
    },
    stop: () => server.stop(),
  }
}
