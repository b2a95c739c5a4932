import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { datedEntry, marketplaceEntry } from '#contract/staff/marketplaces.ts'
import type { MarketplaceEntry } from '#contract/staff/marketplaces.ts'
import { useClub } from '#server/testing/club.ts'
import { consentToMarketplace, hasConsented } from './marketplaces.ts'
import { addProduct } from './products.ts'
import { addMarketplace, checkMarketplace, editMarketplace } from './register.ts'
import { getRegisterEntry, listRegister, readTestLink } from './register-reads.ts'
import { close, fernmarkt, freshAdmin, marketplaceId, why } from './testing.ts'

const club = useClub()

async function listed(entry: MarketplaceEntry = fernmarkt) {
  const admin = await freshAdmin(club)
  const { id } = await addMarketplace(admin, { entry, reason: why })
  return {
    admin,
    id,
    edit: (version: number, change: Partial<MarketplaceEntry>) =>
      editMarketplace(admin, { id, version, entry: { ...entry, ...change }, reason: why }),
  }
}

describe('listing a marketplace', () => {
  test('needs a recent confirmation of identity', async () => {
    const admin = await freshAdmin(club)
    await sql`update sessions set confirmed_at = clock_timestamp() - interval '11 minutes'
      where id = ${admin.who.sessionId}`.execute(admin.db)
    await expect(addMarketplace(admin, { entry: fernmarkt, reason: why })).rejects.toMatchObject({
      code: 'NOT_FRESH',
    })
  })

  test('makes its listings connectable, and keeps everything that was entered', async () => {
    const { admin, id } = await listed()
    expect((await getRegisterEntry(admin, id)).entry).toEqual(fernmarkt)
    const anna = await club.as('anna')
    await consentToMarketplace(anna, { id, policyVersion: 1 })
    const couponLink = 'https://fernmarkt.example/listing/7?coupon=EVEN'
    await addProduct(anna, { title: 'Planner', category: 'template', couponLink })
    const one = { count: 1, is: 'exact' }
    expect(await getRegisterEntry(admin, id)).toMatchObject({ products: one, sellers: one, consents: one })
  })

  test('is recorded with who did it and why', async () => {
    const { admin, id } = await listed()
    const actions = club.system.db.selectFrom('staffActions').selectAll().where('subjectId', '=', id)
    expect(await actions.execute()).toMatchObject([
      { actorId: admin.who.id, action: 'marketplace_added', reason: why },
    ])
  })

  test('is refused for a name or host on the list, and a reading still to come', async () => {
    const { admin } = await listed()
    const add = (change: Partial<MarketplaceEntry>) =>
      addMarketplace(admin, { entry: { ...fernmarkt, ...change }, reason: why })
    await expect(add({ name: 'Another' })).rejects.toMatchObject({
      code: 'MARKETPLACE_EXISTS',
      data: { field: 'host' },
    })
  })

  test('is refused when the policy was read in the future', async () => {
    const admin = await freshAdmin(club)
    const entry = { ...fernmarkt, readOn: '2999-01-01', nextCheckOn: '2999-02-01' }
    await expect(addMarketplace(admin, { entry, reason: why })).rejects.toMatchObject({
      code: 'READ_IN_FUTURE',
      data: { field: 'readOn' },
    })
  })
})

describe('an entry', () => {
  const wrong: [string, Partial<Record<keyof MarketplaceEntry, unknown>>][] = [
    ['host', { host: 'https://fernmarkt.example' }],
    ['host', { host: 'localhost' }],
    ['host', { host: '127.0.0.1' }],
    ['host', { host: 'www.fernmarkt.example' }],
    ['policyUrl', { policyUrl: 'http://fernmarkt.example' }],
    ['policyUrl', { policyUrl: 'javascript:alert(1)' }],
    ['listingPaths', { listingPaths: ['/listing'] }],
    ['listingPaths', { listingPaths: ['/{title}/{id}'] }],
    ['listingPaths', { listingPaths: ['/(a+)+/{id}'] }],
    ['listingIdForm', { listingIdForm: '(a+)+' }],
    ['listingIdForm', { listingIdForm: '[z-a]{1,2}' }],
    ['listingIdForm', { listingIdForm: '[a-z]{5,2}' }],
    ['couponForms', { couponForms: ['.*'] }],
    ['couponForms', { couponForms: [] }],
    ['orderPattern', { orderPattern: '^(\\d+)+$' }],
    ['orderPattern', { orderPattern: '^((a|a)*)$' }],
    ['orderPattern', { orderPattern: '^([A-Z0-9]{8,12})$' }],
    ['couponParameter', { couponParameter: 'a b' }],
    ['couponPrices', { couponPrices: [50, 50] }],
    ['disclosure', { disclosure: 'Too short.' }],
    ['disclosures', { disclosures: { de: 'kurz' } }],
    ['nextCheckOn', { nextCheckOn: '2026-11-01' }],
    ['nextCheckOn', { nextCheckOn: '2028-01-01' }],
  ]
  test.each(wrong)('names the field %s when it is %j', (field, change) => {
    const issues = datedEntry.safeParse({ ...fernmarkt, ...change }).error?.issues ?? []
    expect([...new Set(issues.map(({ path }) => path[0]))]).toEqual([field])
  })

  test('that passes fits the checks of the table', async () => {
    await listed(marketplaceEntry.parse(fernmarkt))
  })
})

describe('changing an entry', () => {
  test('keeps the former one, and shows who changed it and why', async () => {
    const { admin, id, edit } = await listed()
    await edit(1, { name: 'Fern Market' })
    const { version, versions, entry } = await getRegisterEntry(admin, id)
    expect({ version, name: entry.name }).toEqual({ version: 2, name: 'Fern Market' })
    expect(versions).toMatchObject([
      { version: 1, entry: fernmarkt, by: 'ada', reason: why, action: 'marketplace_edited' },
    ])
  })

  test('by two at once is refused to the second', async () => {
    const { edit } = await listed()
    await edit(1, { name: 'Fern Market' })
    await expect(edit(1, { name: 'Fern Bazaar' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test.each<[string, Partial<MarketplaceEntry>, boolean]>([
    ['the sentence', { policySentence: 'Reviews between sellers are allowed.' }, true],
    ['the address of the policy', { policyUrl: 'https://fernmarkt.example/new' }, true],
    ['the lane', { lane: 'private' }, true],
    ['the coupon forms', { couponForms: ['EVEN'] }, false],
  ])('of %s asks for consent again: %j %s', async (_, change, asks) => {
    const { id, edit } = await listed()
    const anna = await club.as('anna')
    await consentToMarketplace(anna, { id, policyVersion: 1 })
    await edit(1, change)
    expect(await hasConsented(anna, anna.who.id, id)).toBe(!asks)
  })

  test('does not open a closed marketplace', async () => {
    const admin = await freshAdmin(club)
    await close(admin)
    const id = await marketplaceId(admin)
    const { entry, version } = await getRegisterEntry(admin, id)
    await editMarketplace(admin, { id, version, entry: { ...entry, readBy: 'Sam' }, reason: why })
    expect((await getRegisterEntry(admin, id)).lane).toBe('closed')
    const privately = { ...entry, lane: 'private' as const }
    await expect(
      editMarketplace(admin, { id, version: version + 1, entry: privately, reason: why }),
    ).rejects.toMatchObject({ code: 'MARKETPLACE_IS_CLOSED' })
  })
})

describe('the check of a policy', () => {
  const reading = { readBy: 'Sam', reason: why }
  const inDays = async (days: number) => {
    const { rows } = await sql<{ day: string }>`select (current_date + ${days}::int)::text as day`.execute(
      club.system.db,
    )
    return rows[0]?.day ?? ''
  }

  test('puts the marketplace back in time; overdue ones are on top until then', async () => {
    const { admin, id } = await listed()
    await sql`update marketplaces set next_check_on = current_date - 3 where id = ${id}`.execute(admin.db)
    expect((await listRegister(admin))[0]).toMatchObject({ id, overdueDays: 3 })
    await checkMarketplace(admin, {
      id,
      version: 1,
      policySentence: fernmarkt.policySentence,
      nextCheckOn: await inDays(90),
      ...reading,
    })
    const entry = await getRegisterEntry(admin, id)
    expect(entry).toMatchObject({ overdueDays: -90, policyVersion: 1, entry: { readBy: 'Sam' } })
    expect(entry.entry.readOn).toBe(await inDays(0))
  })

  test('asks for consent again when the sentence is another one', async () => {
    const { admin, id } = await listed()
    const sentence = 'Reviews between sellers need our permission.'
    const nextCheckOn = await inDays(90)
    await checkMarketplace(admin, { id, version: 1, policySentence: sentence, nextCheckOn, ...reading })
    expect((await getRegisterEntry(admin, id)).policyVersion).toBe(2)
  })

  test('needs a next day after today', async () => {
    const { admin, id } = await listed()
    const nextCheckOn = await inDays(0)
    await expect(
      checkMarketplace(admin, {
        id,
        version: 1,
        policySentence: fernmarkt.policySentence,
        nextCheckOn,
        ...reading,
      }),
    ).rejects.toMatchObject({ data: { field: 'nextCheckOn' } })
  })
})

describe('the test of a link', () => {
  const read = async (link: string, entry = fernmarkt) => readTestLink(await club.as('sam'), { entry, link })

  test('answers what the product would read, before anything is saved', async () => {
    expect(await read('https://shop.fernmarkt.example/x/listing/007?coupon=EVEN&utm=1')).toEqual({
      host: 'shop.fernmarkt.example',
      listing: '7',
      coupon: 'EVEN',
      link: 'https://shop.fernmarkt.example/listing/7?coupon=EVEN',
      marketplace: 'Fernmarkt',
      refusal: null,
    })
  })

  test.each([
    ['http://fernmarkt.example/listing/7?coupon=EVEN', 'This is no plain https link.'],
    ['https://other.example/listing/7?coupon=EVEN', 'No marketplace on the list has this host.'],
    ['https://fernmarkt.example/shop/7?coupon=EVEN', 'The path fits none of the listing paths'],
    ['https://fernmarkt.example/listing/7', 'The coupon parameter is missing'],
    ['https://fernmarkt.example/listing/7?coupon=no', 'The coupon has none of the forms.'],
  ])('gives the words that a member reads about %s, and the cause', async (link, cause) => {
    const { refusal } = await read(link)
    const anna = await club.as('anna')
    await listed()
    const refused = await addProduct(anna, { title: 'Planner', category: 'tool', couponLink: link }).then(
      () => null,
      (error: { message: string; data: { title: string } }) => error,
    )
    expect(refusal).toMatchObject({ title: refused?.data.title, message: refused?.message })
    expect(refusal?.cause).toContain(cause)
  })

  test('says that another marketplace with a longer host reads it', async () => {
    await listed({ ...fernmarkt, name: 'Fern Shops', host: 'shops.fernmarkt.example' })
    expect(await read('https://shops.fernmarkt.example/listing/7?coupon=EVEN')).toMatchObject({
      marketplace: 'Fern Shops',
    })
  })
})
