import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { couponLinkLength, maskCouponLink, readCouponLink } from './products.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const hosts = ['fernmarkt.example']
const read = (text: string) => readCouponLink(text, hosts)

describe('a coupon link is read', () => {
  test.each([
    'https://fernmarkt.example/listing/7?coupon=EVEN',
    'https://www.fernmarkt.example/listing/7',
    'https://anna.shop.fernmarkt.example/7',
    'HTTPS://Fernmarkt.Example/listing/7',
    '  https://fernmarkt.example/listing/7  ',
    'https://fernmarkt.example',
  ])('%s', (text) => {
    expect(read(text)).toMatchObject({
      host: 'fernmarkt.example',
      link: expect.stringMatching(/^https:\/\//),
    })
  })
})

describe('a coupon link is refused', () => {
  test.each([
    ['a host that only begins with the listed one', 'https://fernmarkt.example.evil.test/7'],
    ['a host that only ends in its letters', 'https://notfernmarkt.example/7'],
    ['the listed host in the query', 'https://evil.test/?fernmarkt.example'],
    ['the listed host in the path', 'https://evil.test/fernmarkt.example'],
    ['the listed host as a user', 'https://fernmarkt.example@evil.test/'],
    ['the listed host as a fragment', 'https://evil.test/#.fernmarkt.example'],
    ['a user', 'https://anna@fernmarkt.example/7'],
    ['a user and a password', 'https://anna:pw@fernmarkt.example/7'],
    ['a port', 'https://fernmarkt.example:8443/7'],
    ['plain http', 'http://fernmarkt.example/7'],
    ['another scheme', 'ftp://fernmarkt.example/7'],
    ['a script', 'javascript:alert(1)//https://fernmarkt.example/'],
    ['data', 'data:text/html,https://fernmarkt.example/'],
    ['a backslash', 'https://evil.test\\.fernmarkt.example/7'],
    ['a space inside', 'https://fernmarkt.example/a b'],
    ['a line break inside', 'https://fernmarkt.example/\nx'],
    ['a tab inside the scheme', 'ht\ttps://fernmarkt.example/7'],
    ['letters that look alike', 'https://fernm\u0430rkt.example/7'],
    ['a full-width dot', 'https://fernmarkt\uff0eexample/7'],
    ['a trailing dot', 'https://fernmarkt.example./7'],
    ['no scheme', 'fernmarkt.example/7'],
    ['nothing', ''],
    ['more than the longest link', `https://fernmarkt.example/${'a'.repeat(couponLinkLength)}`],
  ])('with %s', (_, text) => {
    expect(read(text)).toBeNull()
  })
})

test('no link to a host outside the list is accepted', () => {
  const piece = fc.constantFrom(
    'https://', 'http://', 'fernmarkt.example', 'evil.test', '.', '@', ':', '/', '//', '?', '#', '\\', '%2e',
    '%40', ' ', '\t', 'www.', '[', ']', '1', ';', '&', '\u3002', '%00', 'xn--', ':443',
  ) // prettier-ignore
  const text = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((parts) => `https://${parts.join('')}`),
    fc.array(piece, { maxLength: 9 }).map((parts) => parts.join('')),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  )
  fc.assert(
    fc.property(text, (candidate) => {
      const link = read(candidate)
      if (!link) return
      const { protocol, hostname, username, password, port } = new URL(link.link)
      expect([protocol, username, password, port]).toEqual(['https:', '', '', ''])
      expect(hostname === 'fernmarkt.example' || hostname.endsWith('.fernmarkt.example')).toBe(true)
    }),
    { numRuns: 5000 },
  )
})

test('different spellings of one link have the same key', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  const parts = fc.record({
    path: fc.array(word, { minLength: 1, maxLength: 3 }),
    query: fc.uniqueArray(fc.tuple(fc.constantFrom('coupon', 'item', 'variant', 'lang'), word), {
      selector: ([key]) => key,
    }),
    shuffle: fc.infiniteStream(fc.nat()),
    slashes: fc.nat(3),
    www: fc.boolean(),
    tracking: fc.subarray([
      'utm_source=x',
      'UTM_Medium=mail',
      'gclid=1',
      'fbclid=2',
      'ref=home',
      'ref_src=y',
    ]),
    upper: fc.boolean(),
  })
  fc.assert(
    fc.property(parts, ({ path, query, shuffle, slashes, www, tracking, upper }) => {
      const pairs = query.map(([key, value]) => `${key}=${value}`)
      const plain = `https://fernmarkt.example/${path.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
      const mixed = [...pairs, ...tracking]
        .map((pair) => ({ pair, at: shuffle.next().value }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ pair }) => pair)
      const shop = `https://${www ? 'www.' : ''}fernmarkt.example`
      const other = `${shop}/${path.join('/')}${'/'.repeat(slashes)}?${mixed.join('&')}#top`
      expect(read(upper ? other.toUpperCase() : other)?.key).toBe(read(plain)?.key)
    }),
  )
})

test('another listing, coupon or sub-domain has another key', () => {
  const keys = [
    'https://fernmarkt.example/listing/7?coupon=EVEN',
    'https://fernmarkt.example/listing/8?coupon=EVEN',
    'https://fernmarkt.example/listing/7?coupon=ODD',
    'https://fernmarkt.example/listing/7',
    'https://anna.fernmarkt.example/listing/7?coupon=EVEN',
  ].map((text) => read(text)?.key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a masked coupon link shows no coupon, no user and no password', () => {
  expect(maskCouponLink('https://fernmarkt.example/listing/7?coupon=SECRET#SECRET')).toBe(
    'https://fernmarkt.example/listing/7?…',
  )
  expect(maskCouponLink('https://anna:SECRET@evil.test/')).toBe('https://evil.test/')
  expect(maskCouponLink('SECRET')).toBe('(not a link)')
  expect(maskCouponLink(`https://fernmarkt.example/${'a'.repeat(4000)}`)).toHaveLength(300)
})
