import { Client, DatabaseError } from 'pg'
import { createRoles } from './roles.ts'
import { StartError } from '#server/kit/start-error.ts'

/**
 * Refuses, with one sentence, a server Evenhand cannot keep its promises on, and creates the roles where this
 * login may.
 * @throws StartError for a server older than 15, another encoding than UTF8, settings that lose acknowledged
 * work, a connection that is neither local nor encrypted, and a pooler that changes servers between
 * statements
 */
export async function checkExternal(connectionString: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(connectionString)) {
    throw new StartError(
      'DATABASE_URL is not an address of PostgreSQL: write it as postgres://user:password@host/database.',
    )
  }
  const client = await connect(connectionString)
  try {
    checkTransport(client)
    await checkServer(client)
    await checkPooling(client, connectionString)
    await createRoles(client)
  } finally {
    await client.end()
  }
}

async function checkServer(client: Client) {
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

function checkTransport(client: Client) {
  const local = client.host.startsWith('/') || /^(localhost|127\.[\d.]+|::1)$/.test(client.host)
  if (local || client.ssl) return
  throw new StartError(
    `The connection to PostgreSQL at ${client.host} is not encrypted: add ?sslmode=require to DATABASE_URL.`,
  )
}

// Behind a transaction pooler our two connections share the server that is free at the moment:
// while the second holds it in a transaction, the first finds itself on another.
async function checkPooling(client: Client, connectionString: string) {
  const other = await connect(connectionString)
  try {
    const before = await serverOf(client)
    await other.query('begin')
    await serverOf(other)
    const after = await serverOf(client)
    await other.query('rollback')
    if (before !== after) throw pooled()
  } finally {
    await other.end()
  }
}

async function serverOf(client: Client) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

function pooled() {
  return new StartError(
    'DATABASE_URL leads through a pooler that changes servers between transactions: use a direct connection or session pooling.',
  )
}

async function connect(connectionString: string) {
  try {
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: 10_000,
      application_name: 'evenhand-start',
    })
    // A server that goes away later is reported by the query that meets it.
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    if (error instanceof DatabaseError && error.message.includes('startup parameter')) throw pooled()
    throw new StartError(
      `PostgreSQL cannot be reached through DATABASE_URL (${reason(error)}): check the address, the password and that the database exists.`,
    )
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message : String(error)
}
