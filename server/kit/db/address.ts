// The address of a PostgreSQL server, or of several of which one is the primary, as DATABASE_URL writes it.
import pg from 'pg'
import { StartError } from '#server/kit/start-error.ts'

export type Host = { host: string; port: number }

/** An address that was read. */
export type Address = {
  /** The setting that holds it, for messages. */
  setting: string
  /** As the operator wrote it. */
  text: string
  /** Of the first host alone, for the driver. */
  connectionString: string
  /** Where the primary is to be looked for. Absent where the address leads to it by itself. */
  hosts?: Host[]
  /** Through a pooler that gives each transaction another server: see DATABASE_DIRECT_URL. */
  pooled?: boolean
}

const parts = /^(postgres(?:ql)?:\/\/)(?:([^/?]*)@)?([^/?]*)(\/[^?]*)?(?:\?(.*))?$/
const entry = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/
const defaultPort = '5432'

/**
 * Reads one address, with any number of hosts: `postgres://user:password@one:5432,two:5433/database`.
 * @throws StartError, which names `setting`, for anything else
 */
export function readAddress(setting: string, text: string): Address {
  const { given, parameters, single } = split(setting, text)
  const demanded = takeTarget(setting, parameters)
  const many = given.length > 1 || demanded
  const address = addressOf(setting, text, many ? single(given[0]) : single())
  return many ? { ...address, hosts: given } : address
}

/**
 * Reads the address of replicas, with any number of hosts: one address for each of them.
 * @throws StartError, which names `setting`, for anything else
 */
export function readReplicas(setting: string, text: string): Address[] {
  const { given, parameters, single } = split(setting, text)
  if (parameters.has('target_session_attrs'))
    throw new StartError(
      `${setting} needs no target_session_attrs: leave it out. Of several hosts the standby is used.`,
    )
  if (given.length === 1) return [addressOf(setting, text, single())]
  return given.map((host) => addressOf(setting, text, single(host)))
}

/** `single` writes the address again with that host alone, or with its only one as it was written. */
function split(setting: string, text: string) {
  const [, scheme, login, authority = '', path = '', query] = parts.exec(text) ?? []
  if (!scheme) throw unusable(setting)
  const parameters = new URLSearchParams(query)
  const given = splitHosts(setting, authority, parameters)
  const single = (host?: Host) => {
    const rest = parameters.size > 0 ? `?${parameters.toString()}` : ''
    const hostText = host ? writeHost(host) : authority
    return `${scheme}${login === undefined ? '' : `${login}@`}${hostText}${path}${rest}`
  }
  return { given, parameters, single }
}

function addressOf(setting: string, text: string, connectionString: string): Address {
  refuseUnreadable(setting, connectionString)
  return { setting, text, connectionString }
}

function unusable(setting: string) {
  return new StartError(
    `${setting} is not an address of PostgreSQL: write it as postgres://user:password@host/database, ` +
      'several hosts with commas between them.',
  )
}

/** Whether a primary is demanded: also of one host, where another server may take its address. */
function takeTarget(setting: string, parameters: URLSearchParams) {
  const target = parameters.get('target_session_attrs')
  parameters.delete('target_session_attrs')
  if (target !== null && !['read-write', 'primary'].includes(target)) {
    throw new StartError(
      `${setting} must lead to a server that writes: ` +
        'leave out target_session_attrs, or set it to read-write.',
    )
  }
  return target !== null
}

/** Hosts stand in front of the path, or, as folders of Unix sockets do, in the parameters host and port. */
function splitHosts(setting: string, authority: string, parameters: URLSearchParams): Host[] {
  const listed = parameters.get('host')
  if (listed?.includes(',')) {
    const ports = (parameters.get('port') ?? defaultPort).split(',')
    parameters.delete('host')
    parameters.delete('port')
    return listed.split(',').map((host, at) => checked(setting, host, ports[at] ?? ports[0] ?? defaultPort))
  }
  const several = authority.split(',').map((text) => {
    const [, host, port] = entry.exec(text) ?? []
    if (host === undefined) throw unusable(setting)
    return checked(setting, decode(setting, host), port ?? defaultPort, authority.includes(','))
  })
  if (several.length > 1 || several[0]?.host) return several
  const port = parameters.get('port') ?? defaultPort
  return [checked(setting, listed ?? 'localhost', port)]
}

function checked(setting: string, host: string, port: string, mustBeNamed = true): Host {
  const number = Number(port)
  if ((mustBeNamed && host === '') || !(number > 0 && number < 65_536)) throw unusable(setting)
  return { host: host.replace(/^\[(.+)\]$/, '$1'), port: number }
}

function decode(setting: string, text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unusable(setting)
  }
}

function writeHost(host: Host) {
  const name = host.host.includes(':') ? `[${host.host}]` : encodeURIComponent(host.host)
  return `${name}:${host.port}`
}

function refuseUnreadable(setting: string, connectionString: string) {
  try {
    void new pg.Client({ connectionString })
  } catch (error) {
    // A certificate that cannot be read is said as it is.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new StartError(`${setting} names a file that cannot be read: ${error.message}.`)
    }
    throw unusable(setting)
  }
}
