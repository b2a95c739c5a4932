import { createHash } from 'node:crypto'
import { z } from 'zod'
import { chainHash, quicknet } from '#contract/beacon.ts'
import type { BeaconChain } from '#contract/beacon.ts'
import { demoUseSeconds } from '#contract/demo.ts'
import type { SlateRule } from '#contract/draw.ts'
import { slate } from '#contract/matching-rules.ts'
import type { PaymentsMode } from '#contract/membership.ts'
import { StartError } from './start-error.ts'

const optional = z.string().optional()
const port = z.coerce.number().int().min(0).max(65_535)
const defaultPort = 3000

const environment = z.object({
  EVENHAND_MODE: z.enum(['demo', 'production']).optional(),
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).default(10),
  DATABASE_LOCK_SECONDS: z.coerce.number().int().min(1).max(8).default(3),
  PORT: port.default(defaultPort),
  METRICS_PORT: port.default(9464),
  WORKER_METRICS_PORT: port.default(9465),
  METRICS_HOST: z.string().default('127.0.0.1'),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_ORIGIN: optional,
  DATA_DIR: z.string().default('./data'),
  AUTH_SECRET: optional,
  TRUSTED_PROXY_HEADER: optional,
  SMTP_URL: optional,
  MAIL_FROM: optional,
  OPERATOR_NAME: optional,
  OPERATOR_ADDRESS: optional,
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  OIDC_NAME: optional,
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  STRIPE_PRICE_ID: optional,
  STRIPE_API_BASE: optional,
  STRIPE_TAX: z.enum(['on', 'off']).default('off'),
  VAPID_PUBLIC_KEY: optional,
  VAPID_PRIVATE_KEY: optional,
  VAPID_SUBJECT: optional,
  PUSH_HOSTS: optional,
  BEACON_URL: optional,
  BEACON_CHAIN: optional,
  API_DOCS: z.enum(['on', 'off']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** The published one, which the demo does not have: its club is small. */
export const realSlate: SlateRule = { start: slate.start, doublingMs: slate.doublingMinutes * 60_000 }

export type Config = {
  mode: 'demo' | 'production'
  host: string
  port: number
  metricsPort: number
  /** Where the metrics are served: on the machine itself, or where a Prometheus elsewhere reaches them. */
  metricsHost: string
  /** The worker's: it may run on the same machine. */
  workerMetricsPort: number
  /** The public origin, without a trailing slash. Every link in a mail starts with it. */
  origin: string
  /** The most connections with which a web process answers requests. */
  poolSize: number
  /** How long a statement waits for a row that another transaction holds. */
  lockSeconds: number
  dataDir: string
  /** The bucket that keeps the files; null keeps them on the disk, under `dataDir`. */
  s3: S3Config | null
  authSecret: string
  trustedProxyHeader: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** The legal operator of the club and their postal address; null while not configured. */
  operator: { name: string; address: string } | null
  /** The OpenID provider that people may sign in with; null offers none. */
  provider: ProviderConfig | null
  /** The payment partner; null while paid membership is not open here. */
  payments: PaymentConfig | null
  /** Push messages; null while not configured. */
  push: PushConfig | null
  /** The public beacon that is mixed into the lottery; null mixes none. */
  beacon: BeaconConfig | null
  logLevel: string
  /** Where spans are sent by OTLP; null sends none. */
  spansTo: string | null
  /** Whether /api/docs shows the API to people. */
  apiDocs: boolean
  /** Figures of the rotation that a small or accelerated club sets otherwise. */
  rotation: { slate: SlateRule }
  /**
   * The minimum time of use before a review: a share of the published minutes, capped at a number of seconds.
   */
  useTime: { longestSeconds: number }
}

/**
 * `id` names one issuer forever, because accounts are stored under it. `name` is what people call the
 * provider.
 */
export type ProviderConfig = {
  id: string
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

/**
 * `live` is false for test payments. `apiBase` is where the partner's API answers; null is the real one.
 * `tax`: the partner computes taxes and adds them to the price.
 */
export type PaymentConfig = {
  secretKey: string
  webhookSecret: string
  priceId: string
  apiBase: URL | null
  live: boolean
  tax: boolean
}

/**
 * The keys that sign push messages (VAPID), and `subject`, where a push service writes to the operator. Only
 * https addresses of `hosts` and their subdomains get requests. `sandbox` is an origin of this machine that
 * gets them too, in tests.
 */
export type PushConfig = {
  publicKey: string
  privateKey: string
  subject: string
  hosts: readonly string[]
  sandbox: string | null
}

/** `servers`: where the rounds of the chain are fetched, the first one first. */
export type BeaconConfig = { chain: BeaconChain; servers: readonly string[] }

/** A bucket, at an address that is followed by its name. */
export type S3Config = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Whether memberships can be bought in this club, and whether the payments are tests. */
export function paymentsModeOf({ payments }: Pick<Config, 'payments'>): PaymentsMode {
  if (!payments) return 'closed'
  return payments.live ? 'live' : 'test'
}

/**
 * Reads and checks the whole environment once, at start.
 * Throws StartError with one sentence naming the first setting that is missing, weak or wrong.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  // An empty value, such as `PORT=`, counts as not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''))
  const read = environment.safeParse(given)
  if (!read.success) {
    const issue = read.error.issues[0]
    throw new StartError(`The setting ${issue?.path.join('.')} is not usable: ${issue?.message}.`)
  }
  const set = read.data
  const mode = set.EVENHAND_MODE ?? (set.DATABASE_URL ? 'production' : 'demo')
  const config: Config = {
    mode,
    host: set.HOST,
    port: set.PORT,
    metricsPort: set.METRICS_PORT,
    workerMetricsPort: set.WORKER_METRICS_PORT,
    metricsHost: set.METRICS_HOST,
    origin: readOrigin(set.PUBLIC_ORIGIN ?? (mode === 'demo' ? `http://localhost:${set.PORT}` : undefined)),
    poolSize: set.DATABASE_POOL_SIZE,
    lockSeconds: set.DATABASE_LOCK_SECONDS,
    dataDir: set.DATA_DIR,
    s3: readBucket(given, 'S3', mode),
    authSecret: set.AUTH_SECRET ?? '',
    trustedProxyHeader: set.TRUSTED_PROXY_HEADER?.toLowerCase(),
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? 'Evenhand <hello@evenhand.example>',
    operator: readOperator(set),
    provider: readProvider(set),
    payments: readPayments(set),
    push: readPush(set),
    beacon: readBeacon(set),
    logLevel: set.LOG_LEVEL,
    spansTo: readSpansTo(set.OTEL_EXPORTER_OTLP_ENDPOINT),
    apiDocs: (set.API_DOCS ?? (mode === 'demo' ? 'on' : 'off')) === 'on',
    rotation: { slate: mode === 'demo' ? { ...realSlate, start: 1 } : { ...realSlate } },
    useTime: { longestSeconds: mode === 'demo' ? demoUseSeconds : Number.POSITIVE_INFINITY },
  }
  refuseWeak(config, set.MAIL_FROM)
  return config
}

function readOrigin(text: string | undefined) {
  if (!text)
    throw new StartError(
      'PUBLIC_ORIGIN is missing: set it to the address people use, such as https://club.example.',
    )
  if (!URL.canParse(text) || new URL(text).origin !== text.replace(/\/$/, '')) {
    throw new StartError(
      'PUBLIC_ORIGIN must be an origin alone, such as https://club.example, without a path.',
    )
  }
  return new URL(text).origin
}

function readOperator({ OPERATOR_NAME: name, OPERATOR_ADDRESS: address }: z.infer<typeof environment>) {
  if (!name && !address) return null
  if (!name || !address)
    throw new StartError('OPERATOR_NAME and OPERATOR_ADDRESS belong together: set both or none.')
  return { name, address }
}

/**
 * The bucket whose settings begin with `prefix`; null when there are none.
 * @throws StartError naming the setting that is missing or wrong
 */
export function readBucket(
  env: Record<string, string | undefined>,
  prefix: 'S3' | 'BACKUP_S3',
  mode: Config['mode'],
): S3Config | null {
  const set = (name: string) => env[`${prefix}_${name}`] || undefined
  const [endpoint, bucket, region = 'us-east-1'] = [set('ENDPOINT'), set('BUCKET'), set('REGION')]
  const [accessKeyId, secretAccessKey] = [set('ACCESS_KEY_ID'), set('SECRET_ACCESS_KEY')]
  if (!endpoint && !bucket && !accessKeyId && !secretAccessKey) return null
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey)
    throw new StartError(
      `${prefix}_ENDPOINT, ${prefix}_BUCKET, ${prefix}_ACCESS_KEY_ID and ${prefix}_SECRET_ACCESS_KEY ` +
        'belong together: set all or none.',
    )
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.username)
    throw new StartError(`${prefix}_ENDPOINT must be the address of a storage, such as https://s3.example.`)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new StartError(`${prefix}_BUCKET must be the name of a bucket, such as evenhand-files.`)
  if (mode === 'production' && url.protocol !== 'https:' && !ownMachine.test(url.hostname))
    throw new StartError(
      `${prefix}_ENDPOINT must be an https address in production, unless it is on this machine.`,
    )
  return { endpoint: endpoint.replace(/\/$/, ''), bucket, region, accessKeyId, secretAccessKey }
}

function readSpansTo(text: string | undefined): string | null {
  if (!text) return null
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new StartError(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector, such as http://127.0.0.1:4318.',
  )
}

const google = 'https://accounts.google.com'

function readProvider(set: z.infer<typeof environment>): ProviderConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = set
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret) {
    throw new StartError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three or none.',
    )
  }
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(issuer) || !URL.canParse(issuer)) {
    throw new StartError(`OIDC_ISSUER must be the address of an OpenID provider, such as ${google}.`)
  }
  const hash = createHash('sha256').update(issuer).digest('hex').slice(0, 16)
  const isGoogle = issuer === google
  return {
    id: isGoogle ? 'google' : `oidc-${hash}`,
    name: set.OIDC_NAME ?? (isGoogle ? 'Google' : new URL(issuer).host),
    issuer,
    clientId,
    clientSecret,
  }
}

function readPayments(set: z.infer<typeof environment>): PaymentConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId } = set
  if (!secretKey && !webhookSecret && !priceId) return null
  if (!secretKey || !webhookSecret || !priceId)
    throw new StartError(
      'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID belong together: set all three or none.',
    )
  const kind = /^(?:sk|rk)_(test|live)_./.exec(secretKey)?.[1]
  if (!kind)
    throw new StartError('STRIPE_SECRET_KEY must be a secret key, such as one that begins with sk_live_.')
  if (!webhookSecret.startsWith('whsec_'))
    throw new StartError('STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook (whsec_…).')
  if (!priceId.startsWith('price_'))
    throw new StartError('STRIPE_PRICE_ID must be the id of the price of the membership (price_…).')
  const live = kind === 'live'
  const common = { secretKey, webhookSecret, priceId, live, tax: set.STRIPE_TAX === 'on' }
  const base = set.STRIPE_API_BASE
  if (!base) return { ...common, apiBase: null }
  if (live)
    throw new StartError(
      'STRIPE_API_BASE is for test keys: remove it, or use a key that begins with sk_test_.',
    )
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new StartError('STRIPE_API_BASE must be the http address of a sandbox of the payment partner.')
  return { ...common, apiBase: new URL(base) }
}

/** The push services of the browsers: Chrome and Edge, Firefox, Safari, and Edge on Windows. */
const pushServices = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]

function readPush(set: z.infer<typeof environment>): PushConfig | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = set
  if (!publicKey && !privateKey && !subject) return null
  if (!publicKey || !privateKey || !subject)
    throw new StartError(
      'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT belong together: set all three or none.',
    )
  const isKey = (text: string, bytes: number) =>
    /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes
  if (!isKey(publicKey, 65) || !isKey(privateKey, 32))
    throw new StartError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair made by: npx web-push generate-vapid-keys.',
    )
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+.*)$/.test(subject))
    throw new StartError(
      'VAPID_SUBJECT must be where a push service writes to you, such as mailto:hello@club.example.',
    )
  const hosts =
    set.PUSH_HOSTS?.toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean) ?? pushServices
  const badHost = hosts.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(host))
  if (badHost) throw new StartError(`PUSH_HOSTS must be names of hosts, and ${badHost} is none.`)
  return { publicKey, privateKey, subject, hosts, sandbox: null }
}

/** The description of a chain, as its servers give it at /<hash>/info. */
const chainInfo = z.object({
  hash: z.string(),
  public_key: z.string().regex(/^[0-9a-f]{192}$/),
  period: z.int().min(1).max(30),
  genesis_time: z.int().min(0),
  groupHash: z.string().regex(/^[0-9a-f]{64}$/),
  schemeID: z.literal('bls-unchained-g1-rfc9380'),
  metadata: z.object({ beaconID: z.string().min(1).max(100) }),
})

function readBeacon({ BEACON_URL: urls, BEACON_CHAIN: info }: z.infer<typeof environment>) {
  if (!urls) {
    if (info) throw new StartError('BEACON_CHAIN needs BEACON_URL: set where the rounds of the chain are.')
    return null
  }
  const servers = urls.split(/[\s,]+/).filter(Boolean)
  const bad = servers.find((server) => !isPlainAddress(server))
  if (bad || servers.length === 0)
    throw new StartError('BEACON_URL must be addresses of servers, such as https://api.drand.sh.')
  return { servers, chain: info ? readChain(info) : quicknet }
}

function isPlainAddress(text: string) {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username } = new URL(text)
  return /^https?:$/.test(protocol) && search === '' && hash === '' && username === ''
}

function readChain(text: string): BeaconChain {
  const read = chainInfo.safeParse(readJson(text))
  if (!read.success)
    throw new StartError(
      'BEACON_CHAIN must be the description of an unchained chain with a period of at most 30 seconds, ' +
        'as its servers give it at /<hash>/info.',
    )
  const { hash, public_key: publicKey, period, genesis_time: genesis, groupHash, metadata } = read.data
  const chain = { hash, publicKey, period, genesis, seed: groupHash, name: metadata.beaconID }
  if (chainHash(chain) !== hash)
    throw new StartError('BEACON_CHAIN has a hash that does not follow from its description.')
  return chain
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ownMachine = /(^|\.)localhost\.?$|^(127|0)\.|^\[::1?\]$/

function refuseWeak(config: Config, mailFrom: string | undefined) {
  if (config.authSecret.length < 32 || new Set(config.authSecret).size < 10) {
    throw new StartError('AUTH_SECRET is missing or weak: set it to at least 32 random characters.')
  }
  if (config.smtpUrl && !/^smtps?:\/\/./.test(config.smtpUrl)) {
    throw new StartError(
      'SMTP_URL must be the address of a mail server, such as smtps://user:password@mail.example.',
    )
  }
  if (config.mode === 'demo') return
  const { protocol, hostname } = new URL(config.origin)
  if (protocol !== 'https:' || ownMachine.test(hostname)) {
    throw new StartError('PUBLIC_ORIGIN must be the public https address of the club in production.')
  }
  if (!config.smtpUrl)
    throw new StartError(
      'SMTP_URL is missing: production cannot confirm an email address without sending mail.',
    )
  if (!mailFrom) throw new StartError('MAIL_FROM is missing: set it to the address the club sends mail from.')
  if (!/[^\s@<>]@[^\s@<>]+\.[^\s@<>]/.test(mailFrom)) {
    throw new StartError('MAIL_FROM must hold an email address, such as Evenhand <hello@club.example>.')
  }
  if (
    config.beacon?.servers.some((server) => !server.startsWith('https:') && !ownMachine.test(hostOf(server)))
  )
    throw new StartError('BEACON_URL must be https addresses in production, unless they are on this machine.')
  if (config.provider && !config.provider.issuer.startsWith('https:')) {
    throw new StartError('OIDC_ISSUER must be an https address in production.')
  }
  if (!config.trustedProxyHeader) {
    throw new StartError(
      'TRUSTED_PROXY_HEADER is missing: name the one header in which your proxy hands over the client ' +
        'address, such as x-real-ip.',
    )
  }
}

function hostOf(address: string) {
  return new URL(address).hostname
}
