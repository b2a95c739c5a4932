import { describe, expect, test } from 'vitest'
import { quicknet } from '#contract/beacon.ts'
import { testChain } from '#sandbox/beacon/beacon.ts'
import { readConfig } from './config.ts'
import { connectionFromEnv, connectionToEnv } from './db/connection.ts'
import { StartError } from './start-error.ts'
import { makeVapidKeys } from './web-push.ts'

const secret = 'k3J9-sQ2x_7Lw0pZrT5vYb8NcM1aHdGf'
const demo = { EVENHAND_MODE: 'demo', AUTH_SECRET: secret }
const production = {
  EVENHAND_MODE: 'production',
  DATABASE_URL: 'postgres://club@db.internal/evenhand',
  AUTH_SECRET: secret,
  PUBLIC_ORIGIN: 'https://club.example',
  SMTP_URL: 'smtps://mail.internal',
  MAIL_FROM: 'Club <hello@club.example>',
  TRUSTED_PROXY_HEADER: 'X-Real-IP',
}

function vapidKeys() {
  const { publicKey, privateKey } = makeVapidKeys()
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
}

function refusalOf(env: Record<string, string | undefined>) {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return error instanceof Error ? error.message : ''
  }
  return 'taken'
}

describe('the settings', () => {
  test('of a demo are few: a secret is enough', () => {
    expect(readConfig(demo)).toMatchObject({
      mode: 'demo',
      host: '127.0.0.1',
      port: 3000,
      origin: 'http://localhost:3000',
      smtpUrl: undefined,
      logLevel: 'info',
    })
    expect(readConfig({ ...demo, PORT: '8080' })).toMatchObject({
      port: 8080,
      origin: 'http://localhost:8080',
    })
  })

  test('of production are taken when nothing is missing', () => {
    expect(readConfig(production)).toMatchObject({
      mode: 'production',
      origin: 'https://club.example',
      trustedProxyHeader: 'x-real-ip',
      smtpUrl: 'smtps://mail.internal',
      mailFrom: 'Club <hello@club.example>',
    })
    expect(readConfig({ ...production, EVENHAND_MODE: undefined }).mode).toBe('production')
    expect(readConfig({ ...production, PUBLIC_ORIGIN: 'https://club.example/' }).origin).toBe(
      'https://club.example',
    )
  })

  test('say with how many connections a web process answers requests', () => {
    expect(readConfig(production).poolSize).toBe(10)
    expect(readConfig({ ...production, DATABASE_POOL_SIZE: '50' }).poolSize).toBe(50)
    for (const size of ['1', '501', '2.5', 'many'])
      expect(refusalOf({ ...production, DATABASE_POOL_SIZE: size })).toMatch(/DATABASE_POOL_SIZE/)
  })

  test('say how long a statement waits for a lock, which is less than it may take', () => {
    expect(readConfig(production).lockSeconds).toBe(3)
    expect(readConfig({ ...production, DATABASE_LOCK_SECONDS: '8' }).lockSeconds).toBe(8)
    for (const seconds of ['0', '9', '1.5', 'long'])
      expect(refusalOf({ ...production, DATABASE_LOCK_SECONDS: seconds })).toMatch(/DATABASE_LOCK_SECONDS/)
  })

  test('name who runs the club, by name and address or not at all', () => {
    const named = { OPERATOR_NAME: 'Club Ltd', OPERATOR_ADDRESS: '1 High Street, Sampletown' }
    expect(readConfig({ ...production, ...named }).operator).toEqual({
      name: 'Club Ltd',
      address: '1 High Street, Sampletown',
    })
    expect(readConfig(production).operator).toBeNull()
    for (const setting of ['OPERATOR_NAME', 'OPERATOR_ADDRESS'])
      expect(refusalOf({ ...production, ...named, [setting]: '' })).toMatch(/belong together/)
  })

  test('send push messages with a pair of keys and a contact, to the services that are named', () => {
    const push = { VAPID_SUBJECT: 'mailto:ops@club.example', ...vapidKeys() }
    expect(readConfig(production).push).toBeNull()
    expect(readConfig({ ...production, ...push }).push).toMatchObject({
      hosts: expect.arrayContaining(['fcm.googleapis.com', 'push.apple.com']),
      sandbox: null,
    })
    expect(readConfig({ ...production, ...push, PUSH_HOSTS: 'a.example, b.example' }).push?.hosts).toEqual([
      'a.example',
      'b.example',
    ])
    for (const name of Object.keys(push))
      expect(refusalOf({ ...production, ...push, [name]: '' })).toMatch(/belong together/)
    expect(refusalOf({ ...production, ...push, VAPID_PRIVATE_KEY: 'short' })).toMatch(/must be a pair/)
    expect(refusalOf({ ...production, ...push, VAPID_SUBJECT: 'ops' })).toMatch(/^VAPID_SUBJECT/)
    for (const hosts of ['localhost', '127.0.0.1', 'https://a.example', '*.example'])
      expect(refusalOf({ ...production, ...push, PUSH_HOSTS: hosts })).toMatch(/^PUSH_HOSTS/)
  })

  test('show the page of the API in the demo, and in production where it is switched on', () => {
    expect(readConfig({ AUTH_SECRET: secret }).apiDocs).toBe(true)
    expect(readConfig({ AUTH_SECRET: secret, API_DOCS: 'off' }).apiDocs).toBe(false)
    expect(readConfig(production).apiDocs).toBe(false)
    expect(readConfig({ ...production, API_DOCS: 'on' }).apiDocs).toBe(true)
  })

  test('that are empty count as not set', () => {
    const empty = {
      PORT: '',
      METRICS_PORT: '',
      HOST: '',
      LOG_LEVEL: '',
      DATA_DIR: '',
      EVENHAND_MODE: '',
      MAIL_FROM: '',
    }
    expect(readConfig({ ...empty, AUTH_SECRET: secret })).toEqual(readConfig({ AUTH_SECRET: secret }))
    expect(refusalOf({ ...production, MAIL_FROM: '' })).toMatch(/^MAIL_FROM is missing/)
  })

  const origin = 'PUBLIC_ORIGIN must be the public https address of the club in production.'
  const alone = 'PUBLIC_ORIGIN must be an origin alone, such as https://club.example, without a path.'
  const weak = 'AUTH_SECRET is missing or weak: set it to at least 32 random characters.'
  const smtp = 'SMTP_URL must be the address of a mail server, such as smtps://user:password@mail.example.'

  test.each<[string, string | undefined, string]>([
    ['AUTH_SECRET', undefined, weak],
    ['AUTH_SECRET', secret.slice(1), weak],
    ['AUTH_SECRET', 'abababab'.repeat(8), weak],
    [
      'PUBLIC_ORIGIN',
      undefined,
      'PUBLIC_ORIGIN is missing: set it to the address people use, such as https://club.example.',
    ],
    ['PUBLIC_ORIGIN', 'club.example', alone],
    ['PUBLIC_ORIGIN', 'https://club.example/app', alone],
    ['PUBLIC_ORIGIN', 'https://club.example?x', alone],
    ['PUBLIC_ORIGIN', 'https://user@club.example', alone],
    ['PUBLIC_ORIGIN', 'http://club.example', origin],
    ['PUBLIC_ORIGIN', 'https://localhost', origin],
    ['PUBLIC_ORIGIN', 'https://app.localhost:3000', origin],
    ['PUBLIC_ORIGIN', 'https://127.0.0.1', origin],
    ['PUBLIC_ORIGIN', 'https://[::1]', origin],
    ['PUBLIC_ORIGIN', 'https://0.0.0.0', origin],
    [
      'SMTP_URL',
      undefined,
      'SMTP_URL is missing: production cannot confirm an email address without sending mail.',
    ],
    ['SMTP_URL', 'mail.internal', smtp],
    ['SMTP_URL', 'https://mail.internal', smtp],
    ['MAIL_FROM', undefined, 'MAIL_FROM is missing: set it to the address the club sends mail from.'],
    ['MAIL_FROM', 'Evenhand', 'MAIL_FROM must hold an email address, such as Evenhand <hello@club.example>.'],
    [
      'TRUSTED_PROXY_HEADER',
      undefined,
      'TRUSTED_PROXY_HEADER is missing: name the one header in which your proxy hands over the client ' +
        'address, such as x-real-ip.',
    ],
  ])('of production with %s=%s are refused in one sentence', (name, value, sentence) => {
    expect(refusalOf({ ...production, [name]: value })).toBe(sentence)
  })

  test.each(['PORT', 'METRICS_PORT', 'EVENHAND_MODE', 'LOG_LEVEL'])(
    'are refused by name when %s makes no sense',
    (name) => {
      const sentence = refusalOf({ ...demo, [name]: 'nonsense' })
      expect(sentence).toMatch(new RegExp(`^The setting ${name} is not usable: .+\\.$`))
      expect(sentence).not.toContain('\n')
    },
  )

  test.each(['-1', '65536', '80.5', '1e9'])('know no port %s', (value) => {
    expect(refusalOf({ ...demo, PORT: value })).toMatch(/^The setting PORT is not usable/)
  })

  test('never repeat a secret in a refusal', () => {
    for (const name of Object.keys(production)) {
      const sentence = refusalOf({ ...production, [name]: 'hunter2hunter2' })
      expect(sentence).not.toContain('hunter2')
    }
  })
})

describe('the provider to sign in by', () => {
  const oidc = {
    OIDC_ISSUER: 'https://accounts.google.com',
    OIDC_CLIENT_ID: 'club',
    OIDC_CLIENT_SECRET: 'hush',
  }

  test('is none by default, Google by its issuer, any other under its host or a name of one’s own', () => {
    expect(readConfig(production).provider).toBeNull()
    expect(readConfig({ ...production, ...oidc }).provider).toEqual({
      id: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: 'club',
      clientSecret: 'hush',
    })
    const other = { ...production, ...oidc, OIDC_ISSUER: 'https://id.example/realms/club' }
    const { id, name } = readConfig(other).provider ?? {}
    expect(id).toMatch(/^oidc-[0-9a-f]{16}$/)
    expect(name).toBe('id.example')
    expect(readConfig({ ...other, OIDC_NAME: 'Club ID' }).provider).toMatchObject({ id, name: 'Club ID' })
    expect(readConfig({ ...other, OIDC_ISSUER: 'https://id.example/realms/two' }).provider?.id).not.toBe(id)
  })

  test('is named whole or not at all', () => {
    for (const name of Object.keys(oidc)) {
      expect(refusalOf({ ...production, ...oidc, [name]: undefined })).toBe(
        'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three or none.',
      )
    }
  })

  test('has an https address in production, and an address at all', () => {
    expect(refusalOf({ ...production, ...oidc, OIDC_ISSUER: 'http://id.example' })).toBe(
      'OIDC_ISSUER must be an https address in production.',
    )
    expect(refusalOf({ ...demo, ...oidc, OIDC_ISSUER: 'http://127.0.0.1:4140' })).toBe('taken')
    for (const issuer of ['google', 'ftp://id.example', 'https://id.example?x=1', 'https://'])
      expect(refusalOf({ ...production, ...oidc, OIDC_ISSUER: issuer })).toContain('OIDC_ISSUER must be')
  })
})

describe('the way to the database', () => {
  test('is DATABASE_URL, else the embedded server, and reads back what a child is given', () => {
    const ways = [
      { DATABASE_URL: 'postgres://club@db.internal/evenhand' },
      {
        EVENHAND_PG_HOST: '/run/club',
        EVENHAND_PG_PORT: '5433',
        EVENHAND_PG_USER: 'evenhand_web',
        EVENHAND_PG_DATABASE: 'x',
      },
    ]
    for (const env of ways) expect(connectionToEnv(connectionFromEnv(env))).toEqual(env)
  })

  test('is asked for in one sentence when there is none', () => {
    expect(() => connectionFromEnv({})).toThrow(
      'No database is named: start Evenhand with npm start, or set DATABASE_URL.',
    )
  })
})

describe('the bucket of the files', () => {
  const bucket = {
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'evenhand-files',
    S3_ACCESS_KEY_ID: 'an id',
    S3_SECRET_ACCESS_KEY: 'a key',
  }

  test('is used when all of its settings are there, and none without', () => {
    expect(readConfig(production).s3).toBeNull()
    expect(readConfig({ ...production, ...bucket }).s3).toEqual({
      endpoint: 'https://s3.example',
      bucket: 'evenhand-files',
      region: 'us-east-1',
      accessKeyId: 'an id',
      secretAccessKey: 'a key',
    })
    for (const name of Object.keys(bucket))
      expect(refusalOf({ ...production, ...bucket, [name]: '' })).toMatch(/belong together/)
  })

  test.each([
    ['S3_ENDPOINT', 's3.example'],
    ['S3_ENDPOINT', 'ftp://s3.example'],
    ['S3_ENDPOINT', 'http://s3.example'],
    ['S3_ENDPOINT', 'https://s3.example?x=1'],
    ['S3_BUCKET', '../other'],
    ['S3_BUCKET', 'Files'],
  ])('is refused with %s=%s', (name, value) => {
    expect(refusalOf({ ...production, ...bucket, [name]: value })).toContain(name)
    const here = { ...bucket, S3_ENDPOINT: 'http://127.0.0.1:9000' }
    expect(readConfig({ ...production, ...here }).s3?.endpoint).toBe('http://127.0.0.1:9000')
  })
})

describe('the public beacon', () => {
  const servers = { BEACON_URL: 'https://api.drand.sh, https://beacon.example/drand' }
  const info = JSON.stringify(testChain)

  test('is the League of Entropy’s, or a chain that is described; without its servers there is none', () => {
    expect(readConfig(production).beacon).toBeNull()
    expect(readConfig({ ...production, ...servers }).beacon).toEqual({
      servers: ['https://api.drand.sh', 'https://beacon.example/drand'],
      chain: quicknet,
    })
    expect(readConfig({ ...production, ...servers, BEACON_CHAIN: info }).beacon?.chain.name).toBe(
      'evenhand-test',
    )
    expect(refusalOf({ ...production, BEACON_CHAIN: info })).toMatch(/^BEACON_CHAIN needs BEACON_URL/)
  })

  test.each([
    'api.drand.sh',
    'ftp://api.drand.sh',
    'https://user@api.drand.sh',
    'https://api.drand.sh?a=b',
    'https://api.drand.sh, http://beacon.example',
    ',',
  ])('is refused with BEACON_URL=%s', (BEACON_URL) => {
    expect(refusalOf({ ...production, BEACON_URL })).toMatch(/^BEACON_URL must be/)
    expect(readConfig({ ...production, BEACON_URL: 'http://127.0.0.1:4000' }).beacon).not.toBeNull()
  })

  test.each([
    ['no JSON', 'quicknet', 'the description'],
    ['a chain that signs the round before too', { schemeID: 'pedersen-bls-chained' }, 'the description'],
    ['a chain too slow to wait for', { period: 60 }, 'the description'],
    ['another start than its hash says', { genesis_time: 1 }, 'a hash that does not follow'],
  ])('is refused with %s', (_, change, why) => {
    const BEACON_CHAIN = typeof change === 'string' ? change : JSON.stringify({ ...testChain, ...change })
    expect(refusalOf({ ...production, ...servers, BEACON_CHAIN })).toContain(`BEACON_CHAIN`)
    expect(refusalOf({ ...production, ...servers, BEACON_CHAIN })).toContain(why)
  })
})

test('spans go to an address by http, or nowhere', () => {
  expect(readConfig(demo).spansTo).toBeNull()
  const to = 'http://127.0.0.1:4318'
  expect(readConfig({ ...demo, OTEL_EXPORTER_OTLP_ENDPOINT: to }).spansTo).toBe(to)
  expect(refusalOf({ ...demo, OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' })).toContain('OTEL_')
})
