// What a server that the operator runs has to be.
import type { Address } from '#server/kit/db/address.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { messageOf } from '#server/kit/db/primary.ts'
import { open, refusePooling } from './pooling.ts'
import { createRoles } from './roles.ts'
import { StartError } from '#server/kit/start-error.ts'

/**
 * Refuses, with one sentence, a server Evenhand cannot keep its promises on, and creates the roles where this
 * login may. For npm scripts.
 * @throws StartError for what `requireSafeServer` refuses, and for a server that cannot be reached
 */
export async function checkExternal(connections: { connection: Address; direct: Address }): Promise<void> {
  await requireSafeServer(connections, connect)
  const client = await connect(connections.direct)
  try {
    await createRoles(client)
  } finally {
    await client.end()
  }
}

/**
 * Refuses, as a process or a script starts, a server Evenhand cannot keep its promises on. The embedded
 * server is ours and needs no check.
 * @throws StartError for a server older than 15, another encoding than UTF8, settings that lose acknowledged
 * work, a connection that is neither local nor encrypted, and a pooler that changes servers between
 * statements
 */
export async function requireSafeServer(
  { connection, direct }: { connection: Connection; direct: Connection },
  connectTo: (address: Address) => Promise<DatabaseClient> = open,
): Promise<void> {
  if (!('connectionString' in direct)) return
  const client = await connectTo(direct)
  try {
    checkTransport(client, direct)
    await checkServer(client)
  } finally {
    await client.end()
  }
  if ('pooled' in connection && connection.pooled) {
    const pooled = await connectTo(connection)
    await pooled.end()
    checkTransport(pooled, connection)
  }
  await refusePooling({ connection, direct })
}

/**
 * Refuses replicas whose connection is neither local nor encrypted. None has to be there yet.
 * @throws StartError
 */
export function requireSafeReplicas(replicas: Address[]): void {
  for (const replica of replicas) checkTransport(new DatabaseClient(replica), replica)
}

async function checkServer(client: DatabaseClient) {
  const { rows } = await client.query<Record<'version' | 'shown' | 'encoding' | 'off', string | null>>(`
    select current_setting('server_version_num') as version,
      current_setting('server_version') as shown,
      current_setting('server_encoding') as encoding,
      (select string_agg(name, ', ' order by name) from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as off`)
  const found = rows[0]
  if (!found) throw new StartError('The server named by DATABASE_URL did not answer: check the address.')
  if (Number(found.version) < 150000) {
    throw new StartError(
      `DATABASE_URL leads to PostgreSQL ${found.shown}, and Evenhand needs 15 or later: upgrade it.`,
    )
  }
  if (found.encoding !== 'UTF8') {
    throw new StartError(
      `The database in DATABASE_URL is encoded in ${found.encoding}: create one with ENCODING 'UTF8'.`,
    )
  }
  if (found.off) {
    throw new StartError(
      `The server in DATABASE_URL can lose acknowledged work: switch these settings on: ${found.off}.`,
    )
  }
}

function checkTransport(client: DatabaseClient, { setting }: Address) {
  const local = client.host.startsWith('/') || /^(localhost|127\.[\d.]+|::1)$/.test(client.host)
  if (local || client.ssl) return
  throw new StartError(
    `The connection to PostgreSQL at ${client.host} is not encrypted: add ?sslmode=require to ${setting}.`,
  )
}

/** A script says with one sentence what a process would wait for. */
async function connect(connection: Address) {
  try {
    return await open(connection)
  } catch (error) {
    if (error instanceof StartError) throw error
    const why = reason(error)
    const check = /certificate|altnames/.test(why)
      ? 'its certificate has to name that host, and sslrootcert its authority.'
      : 'check the address, the password and that the database exists.'
    throw new StartError(`PostgreSQL cannot be reached through ${connection.setting} (${why}): ${check}`)
  }
}

function reason(error: unknown): string {
  // Node's advice is not for us: the authority is a setting.
  return messageOf(error).replaceAll(/; if the root CA is [^)]*--use-system-ca/g, '')
}
