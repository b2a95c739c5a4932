// Every call of the contract, as an attacker sends it who wants to break it or to get another member's data.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { staffContract } from '#contract/staff/index.ts'
import { allCalls } from '#server/kit/http/api.ts'
import { router } from '#server/app.ts'
import { purchased, submitted } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { changedSince, fingerprint, strangeId } from '#server/testing/fingerprint.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser } from '#server/testing/browser.ts'
import { newId } from '#server/kit/ctx.ts'

const club = useFreshClub()
const edge = useEdge(club)

type Fields = Record<string, unknown>
type Call = {
  name: string
  method: string
  path: string
  schema: z.ZodType | undefined
  fields: Fields
  takesFile: boolean
  /** Only an admin gets as far as its input. */
  isForStaff: boolean
}

const calls: Call[] = Object.entries(allCalls).flatMap(([group, of]) =>
  Object.entries(of).map(([name, procedure]) => {
    const { route, inputSchema } = procedure['~orpc']
    // The schemas of the contract are Zod's.
    const schema = inputSchema as z.ZodType | undefined
    const fields = schema ? sampleOf(schema) : {}
    return {
      name: `${group}.${name}`,
      method: route.method ?? 'POST',
      path: `/api${route.path ?? ''}`,
      takesFile: 'file' in fields,
      isForStaff: group in staffContract,
      schema,
      fields,
    }
  }),
)

/** Something a call takes, by its schema. */
function sampleOf(schema: z.ZodType): Fields {
  const described = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })
  // Every input of the contract is an object.
  return sampleOfType(described) as Fields
}

type Described = z.core.JSONSchema.BaseSchema

function sampleOfType(type: Described): unknown {
  const [first] = type.anyOf ?? []
  if (first && typeof first === 'object') return sampleOfType(first)
  if (type.enum) return type.enum[0]
  if (type.format === 'uuid') return strangeId('nothing')
  if (type.format === 'date-time') return '2026-01-01T00:00:00Z'
  const fitting = ['1', '1'.repeat(32)].find((text) => type.pattern && new RegExp(type.pattern).test(text))
  if (fitting) return fitting
  if (type.type === 'string') return 'a'.repeat(Math.max(type.minLength ?? 0, 3))
  if (type.type === 'integer' || type.type === 'number') return Math.max(type.minimum ?? 0, 1)
  if (type.type === 'boolean') return true
  if (type.type === 'array') return []
  if (type.type === 'object') {
    return Object.fromEntries(
      Object.entries(type.properties ?? {}).map(([name, of]) => [name, sampleOfType(of as Described)]),
    )
  }
  return null
}

/** What stands for a JSON text that `JSON.stringify` would not write. */
const raw = (text: string) => ({ raw: text })
/** An edited cursor. */
function placeAt(time: string, id = strangeId('place')) {
  return Buffer.from(`${time} ${id}`).toString('base64url')
}

const texts = [
  '',
  ' ',
  'NaN',
  '\0',
  'a\0b',
  '\ud800',
  '\u202eevil',
  '\u200b'.repeat(50),
  '😀'.repeat(40),
  '\r\nBcc: z@z.example',
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '275760-09-13T00:00:00Z',
  'javascript:alert(1)',
  'https://a@b:1/\0',
  'x'.repeat(5000),
  'ﷺ'.repeat(130),
  placeAt('2026-99-99T99:99:99Z'),
  placeAt('0000-01-01T00:00:00Z'),
  placeAt('2026-02-30T00:00:00Z'),
  placeAt('2026-02-03T00:00:00Z', '-'.repeat(36)),
  strangeId('else').toUpperCase(),
]
const numbers = [0, -1, 1.5, 2 ** 31, 2 ** 53, raw('1e309'), raw('-0')]
const others = [
  null,
  true,
  [],
  [[]],
  ['\0'],
  Array.from({ length: 3000 }, () => 1),
  {},
  { $gt: '' },
  { length: 1e9 },
  raw('{"__proto__":{"polluted":1}}'),
  raw('{"constructor":{"prototype":{"polluted":1}}}'),
  raw('['.repeat(2000) + ']'.repeat(2000)),
  raw(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`),
]
const hostile: unknown[] = [...texts, ...numbers, ...others]

let ada: Browser
let anna: Browser
let ben: Browser
let annas: Record<string, string>

beforeAll(async () => {
  const written = await purchased(club, 'ben', 'anna')
  const received = await submitted(club, 'anna', 'clara')
  const { db } = club.system
  const annaId = await club.idOf('anna')
  const one = async (query: ReturnType<typeof sql<{ id: string }>>) =>
    (await query.execute(db)).rows[0]?.id ?? ''
  const notice = newId()
  await sql`insert into notices (id, member_id, title, message, priority, dedupe_key)
    values (${notice}, ${annaId}, 'Hello', 'There', 'low', 'for-a-test')`.execute(db)
  annas = {
    products: await one(sql`select id from products where seller_id = ${annaId}`),
    requests: await one(sql`select id from review_queue where seller_id = ${annaId}`),
    reviews: written.id,
    'received-reviews': received.id,
    notifications: notice,
    marketplaces: await one(sql`select id from marketplaces`),
    proofs: await one(sql`select id from proofs where uploader_id = ${annaId}`),
    queueId: await one(sql`select id from review_queue where seller_id = ${annaId}`),
    productId: await one(sql`select id from products where seller_id = ${annaId}`),
  }
  await sql`update members set two_factor_enabled = true where role <> 'user'`.execute(db)
  ada = await edge.signIn('ada')
  anna = await edge.signIn('anna')
  ben = await edge.signIn('ben')
  await liftLimits()
})

/** Limits have their own tests; here they would answer before the call is reached. */
async function liftLimits() {
  const { db } = club.system
  await sql`create function count_nothing() returns trigger language plpgsql as
    $$ begin new.hits = 0; return new; end $$`.execute(db)
  await sql`create trigger lifted before insert or update on rate_counters
    for each row execute function count_nothing()`.execute(db)
}

/** The hours since 1970, so that runs differ; HOSTILE_SEED repeats one. */
const seed = Number(process.env['HOSTILE_SEED'] ?? Math.floor(Date.now() / 3_600_000))

/**
 * What a run sends: everything that the schema takes, because it gets as far as the call's own code, and
 * every sixth of what the schema refuses. Six seeds in a row send all.
 */
function sampleOfHostile(call: Call) {
  const pairs = Object.keys(call.fields).flatMap((name) => hostile.map((value) => ({ name, value })))
  return pairs.filter(({ name, value }, at) => {
    const received: unknown = JSON.parse(jsonOf({ ...mine(call), [name]: value }))
    return (at + seed) % 6 === 0 || call.schema?.safeParse(received).success
  })
}

describe('hostile input', () => {
  beforeAll(() => console.log(`The values of HOSTILE_SEED=${seed}`))
  const taking = calls.filter(({ fields, takesFile }) => Object.keys(fields).length > 0 && !takesFile)

  test.each(taking)('to $name is refused or taken, and breaks nothing', async (call) => {
    const sent = sampleOfHostile(call)
    const broken: unknown[] = []
    while (sent.length > 0) {
      const some = sent.splice(0, 12)
      const answers = await Promise.all(
        some.map(({ name, value }) => send(senderOf(call), call, { [name]: value })),
      )
      for (const [at, { status, text }] of answers.entries()) {
        const isFine = status < 500 && status !== 429 && !/\bat .*\.ts:|node_modules/.test(text)
        if (!isFine) broken.push({ ...some[at], status, text })
      }
    }
    expect(broken).toEqual([])
    expect(({} as Fields).polluted).toBeUndefined()
  })
})

describe('what is not theirs', () => {
  const naming = calls.filter(
    ({ fields, path, isForStaff }) =>
      !isForStaff && Object.values(fields).includes(strangeId('nothing')) && !path.includes('marketplaces'),
  )

  test.each(naming)('is not there for others in $name, and nothing changes', async (call) => {
    const before = await fingerprint(club.system)
    const foreign = await send(ben, call, {})
    const unknown = await send(ben, call, noneOf(mine(call)))
    // A list with such a filter is empty.
    const status = call.method === 'GET' && !call.path.includes('{') ? 200 : 404
    expect(foreign).toMatchObject({ status, text: unknown.text })
    expect(await changedSince(club.system, before)).toEqual([])
  })

  test('is not shown to a visitor, for any input of any call', async () => {
    const before = await fingerprint(club.system)
    const answers: [string, number][] = []
    for (const call of calls) {
      const { status } = await send(edge.visitor(), call, { nonsense: 1 })
      answers.push([call.name, status])
    }
    const expected = calls.map(({ name, fields }) => {
      const takesNothing = Object.keys(fields).length === 0
      return [name, open.has(name) ? (takesNothing ? 200 : 400) : 401]
    })
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
    expect(await changedSince(club.system, before)).toEqual([])
  })
})

describe('fields that no call asks for', () => {
  const someone = strangeId('me')
  const extra = {
    role: 'admin',
    sellerId: someone,
    seller_id: someone,
    userId: someone,
    memberId: someone,
    offeredTo: someone,
    status: 'verified',
    emailVerified: true,
    declinesToday: 0,
  }
  const taking = calls.filter(({ fields, takesFile }) => Object.keys(fields).length > 0 && !takesFile)

  test('are refused by every call, and nothing changes', async () => {
    // A session of the staff is marked as seen once a minute.
    const except = ['sessions']
    const before = await fingerprint(club.system, { except })
    for (const call of taking) {
      const change: Fields =
        call.method === 'GET' ? extra : { ...extra, constructor: raw('{"prototype":{}}') }
      // Some calls have a field of such a name.
      const names = Object.keys(change).filter((name) => !(name in call.fields))
      const answers = await Promise.all(
        names.map(async (name) => {
          const { status } = await send(senderOf(call), call, { [name]: change[name] })
          return [`${call.name} with ${name}`, status]
        }),
      )
      expect(answers).toEqual(names.map((name) => [`${call.name} with ${name}`, 400]))
    }
    expect(await changedSince(club.system, before, { except })).toEqual([])
  })
})

// The table of rights names them, and its test asks them.
const open = new Set<string>(
  Object.values(router)
    .flatMap((procedures) => Object.values(procedures))
    .filter(({ gate }) => gate.name === 'anyone')
    .map(({ call }) => call),
)

function senderOf({ isForStaff }: Call) {
  return isForStaff ? ada : anna
}

function noneOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      Object.values(annas).includes(String(value)) ? [name, strangeId(name)] : [name, value],
    ),
  )
}

// So that a call gets as far as its rows when nothing else is wrong with it.
const good: Fields = {
  couponLink: 'https://makerlane.example/listing/one-more?coupon=EVEN',
  category: 'template',
  orderId: '4711471147',
  email: 'gwen@evenhand.example',
}

function mine(call: Call): Fields {
  const kind = call.path.split('/')[2] ?? ''
  const ids = Object.fromEntries(
    Object.keys(call.fields).flatMap((name) => {
      const known = name === 'id' ? annas[kind] : (annas[name] ?? good[name])
      return known === undefined ? [] : [[name, known]]
    }),
  )
  return { ...call.fields, ...ids }
}

/** Sends a call with what is Anna's, and these fields in place of what it takes. */
function send(browser: Browser, call: Call, change: Fields) {
  const fields = { ...mine(call), ...change }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return encodeURIComponent(textOf(value)) || '-'
  })
  if (call.takesFile) return sendFile(browser, call.method, path, fields)
  if (call.method !== 'GET') return browser.send(call.method, path, { body: jsonOf(fields) })
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`)
  return browser.get(`${path}?${query.join('&')}`.slice(0, 8000))
}

function sendFile(browser: Browser, method: string, path: string, fields: Fields) {
  const parts = Object.entries({ ...fields, file: 'no picture' }).map(([name, value]) => {
    const fileName = name === 'file' ? '; filename="a.png"' : ''
    return `--part\r\ncontent-disposition: form-data; name="${name}"${fileName}\r\n\r\n${textOf(value)}\r\n`
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=part' }
  return browser.send(method, path, { body: `${parts.join('')}--part--\r\n`, headers })
}

function textOf(value: unknown) {
  const text = typeof value === 'string' ? value : jsonOf(value)
  return text.slice(0, 2000).toWellFormed()
}

function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if ('raw' in value && typeof value.raw === 'string') return value.raw
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, of]) => `${JSON.stringify(name)}:${jsonOf(of)}`)
    .join(',')}}`
}
