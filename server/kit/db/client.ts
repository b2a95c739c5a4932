import pg from 'pg'
import type { Address, Host } from './address.ts'
import { dropPrimary, nameOf, NoPrimaryError, primaryOf } from './primary.ts'
import type { Standing } from './primary.ts'

export type ClientConfig = pg.ClientConfig & Pick<Partial<Address>, 'hosts' | 'pooled'>

type Callback = (error: Error | null) => void

const probeMs = 1500
// The kernel asks a silent peer after this time, and gives it up ten seconds later.
const silentMs = 10_000

/**
 * A connection of ours. Where the address names several servers it finds the primary among them. Through a
 * pooler it sends no setting that belongs to a session, as these would reach whichever server is free.
 */
export class DatabaseClient extends pg.Client {
  /** Of the server's process, as the server or a pooler in front of it said. */
  declare readonly processID: number | null
  readonly #config: ClientConfig
  #standby = false

  constructor(config: ClientConfig = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: silentMs, ...config })
    this.#config = config
    const connect = this.connect.bind(this) as () => Promise<this>
    const { hosts } = config
    if (!hosts) return
    // PostgreSQL reports both at the start of a session.
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
      const says = ['in_hot_standby', 'default_transaction_read_only'].includes(parameterName)
      if (says && parameterValue === 'on') this.#standby = true
    })
    const find = (callback?: Callback) => {
      const found = this.#connectTo(hosts, connect)
      if (!callback) return found
      void report(found, callback)
    }
    // The same overloads as before, to which TypeScript cannot match one function.
    this.connect = find as typeof this.connect
  }

  /** Through a pooler nothing but what every pooler takes: the time zone is kept for each client. */
  getStartupConf(): Record<string, string> {
    const parent = pg.Client.prototype as unknown as { getStartupConf(): Record<string, string> }
    const conf = parent.getStartupConf.call(this)
    if (!this.#config.pooled) return conf
    const { user, database, application_name: name } = conf
    return { user, database, ...(name && { application_name: name }), TimeZone: 'UTC' } as Record<
      string,
      string
    >
  }

  async #connectTo(hosts: Host[], connect: () => Promise<this>): Promise<this> {
    const primary = await primaryOf(hosts, (host) => this.#ask(host))
    if (this.connection.stream.destroyed) throw new NoPrimaryError('the connection was given up meanwhile')
    this.host = primary.host
    this.port = primary.port
    try {
      await connect()
      if (this.#standby) throw new NoPrimaryError(`${nameOf(primary)} cannot write`)
      return this
    } catch (error) {
      await dropPrimary(hosts, primary)
      if (error instanceof NoPrimaryError) void this.end().catch(() => {})
      throw error
    }
  }

  async #ask({ host, port }: Host): Promise<Standing> {
    const { statement_timeout: _, lock_timeout: _l, hosts: _h, ...login } = this.#config
    const probe = new SingleClient(
      { ...login, connectionTimeoutMillis: probeMs, application_name: 'evenhand-find' },
      { host, port },
    )
    return probe.ask()
  }
}

async function report(found: Promise<pg.Client>, callback: Callback) {
  const error = await found.then(
    () => null,
    (failure: Error) => failure,
  )
  callback(error)
}

type Parameter = { parameterName: string; parameterValue: string }

/** Asks one server. */
class SingleClient extends pg.Client {
  constructor(config: pg.ClientConfig, { host, port }: Host) {
    super(config)
    this.host = host
    this.port = port
    // A server that goes away is reported by the query that meets it.
    this.on('error', () => {})
  }

  async ask(): Promise<Standing> {
    const late = setTimeout(() => this.connection.stream.destroy(), probeMs)
    try {
      await this.connect()
      const { rows } = await this.query<Standing>(question)
      const [standing] = rows
      if (!standing) throw new NoPrimaryError(`${nameOf(this)} did not answer`)
      return standing
    } finally {
      clearTimeout(late)
      void this.end().catch(() => {})
    }
  }
}

const question = `
  select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writes,
    (select system_identifier::text from pg_control_system()) as system,
    case when pg_is_in_recovery() then 0
      else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`
