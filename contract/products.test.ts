import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { couponLinkLength, maskCouponLink, readCouponLink, readMarketplaceLink } from './products.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const fernmarkt = {
  host: 'fernmarkt.example',
  listingPaths: ['/listing/{id}', '/{title}/listing/{id}/{title}'],
  listingIdForm: '[0-9]{1,12}',
  couponParameter: 'coupon',
  couponForms: ['EVEN', '[A-Z]{3,8}-[0-9]{2,2}'],
}
const read = (text: string) => readCouponLink(text, [fernmarkt])
const linkTo = (rest: string) => `https://fernmarkt.example${rest}`

test('a coupon link is read as its listing, and kept without what else was typed', () => {
  expect(read('  https://fernmarkt.example/listing/7?coupon=EVEN  ')).toEqual({
    link: 'https://fernmarkt.example/listing/7?coupon=EVEN',
    listing: '7',
    coupon: 'EVEN',
    marketplace: fernmarkt,
  })
})

describe('one listing is read from', () => {
  test.each([
    ['a parameter more', linkTo('/listing/7?coupon=EVEN&z=1')],
    ['a parameter before', linkTo('/listing/7?z=1&coupon=EVEN')],
    ['tracking', linkTo('/listing/7?coupon=EVEN&utm=1&utm_source=x&gclid=2')],
    ['an encoded letter', linkTo('/%6cisting/7?coupon=EVEN')],
    ['an encoded digit', linkTo('/listing/%37?coupon=EVEN')],
    ['double slashes', linkTo('//listing//7?coupon=EVEN')],
    ['a slash at the end', linkTo('/listing/7/?coupon=EVEN')],
    ['dots in the path', linkTo('/x/../listing/./7?coupon=EVEN')],
    ['www', 'https://www.fernmarkt.example/listing/7?coupon=EVEN'],
    ['another sub-domain', 'https://de.shop.fernmarkt.example/listing/7?coupon=EVEN'],
    ['upper case', 'HTTPS://FERNMARKT.EXAMPLE/LISTING/7?coupon=EVEN'],
    ['leading zeros', linkTo('/listing/0007?coupon=EVEN')],
    ['a fragment', linkTo('/listing/7?coupon=EVEN#reviews')],
    ['the usual port', 'https://fernmarkt.example:443/listing/7?coupon=EVEN'],
    ['another coupon', linkTo('/listing/7?coupon=FERN-20')],
    ['another path of the entry', linkTo('/de/listing/7/a-weekly-planner?coupon=EVEN')],
    ['a coupon parameter in upper case beside it', linkTo('/listing/7?coupon=EVEN&COUPON=X')],
  ])('a link with %s', (_, text) => {
    expect(read(text)?.listing).toBe('7')
    expect(read(text)?.link).toMatch(
      /^https:\/\/([a-z.]+\.)?fernmarkt\.example\/listing\/7\?coupon=(EVEN|FERN-20)$/,
    )
  })
})

describe('no listing and no coupon is read from', () => {
  test.each([
    ['no coupon', linkTo('/listing/7')],
    ['an empty coupon', linkTo('/listing/7?coupon=')],
    ['a coupon of spaces', linkTo('/listing/7?coupon=%20+')],
    ['a coupon of another form', linkTo('/listing/7?coupon=even')],
    ['a coupon with more behind it', linkTo('/listing/7?coupon=EVEN%20X')],
    ['two coupons', linkTo('/listing/7?coupon=EVEN&coupon=EVEN')],
    ['two coupons, one of them empty', linkTo('/listing/7?coupon=EVEN&coupon=')],
    ['the coupon in the fragment', linkTo('/listing/7#?coupon=EVEN')],
    ['the coupon under another name', linkTo('/listing/7?code=EVEN')],
    ['the name of the parameter in upper case', linkTo('/listing/7?COUPON=EVEN')],
    ['the front page', linkTo('/?coupon=EVEN')],
    ['another path', linkTo('/shop/7?coupon=EVEN')],
    ['a path that goes on', linkTo('/listing/7/reviews/2?coupon=EVEN')],
    ['an id that is none', linkTo('/listing/seven?coupon=EVEN')],
    ['an id that goes on', linkTo('/listing/7-planner?coupon=EVEN')],
    ['an id of other digits', linkTo('/listing/%D9%A7?coupon=EVEN')],
    ['an id that is too long', linkTo('/listing/1234567890123?coupon=EVEN')],
    ['an encoded slash', linkTo('/listing%2F7?coupon=EVEN')],
    ['a letter encoded twice', linkTo('/%256cisting/7?coupon=EVEN')],
    ['what cannot be decoded', linkTo('/listing/%ff?coupon=EVEN')],
    ['a parameter of the path', linkTo('/listing/7;v=1?coupon=EVEN')],
  ])('a link with %s', (_, text) => {
    expect(read(text)).toBeNull()
  })
})

test('ids of letters are the same in upper and in lower case', () => {
  const shop = { ...fernmarkt, listingIdForm: '[A-Za-z0-9-]{2,40}' }
  const listing = (text: string) => readCouponLink(text, [shop])?.listing
  expect(listing(linkTo('/listing/Weekly-Planner?coupon=EVEN'))).toBe('weekly-planner')
  expect(listing(linkTo('/listing/%57eekly-PLANNER?coupon=EVEN'))).toBe('weekly-planner')
})

test('a link belongs to the marketplace with the longest host that fits', () => {
  const inner = { ...fernmarkt, host: 'audio.fernmarkt.example' }
  const text = 'https://www.audio.fernmarkt.example/listing/7?coupon=EVEN'
  expect(readCouponLink(text, [fernmarkt, inner])?.marketplace.host).toBe('audio.fernmarkt.example')
})

test('the link to a posted review may be any page of the marketplace', () => {
  const hosts = ['fernmarkt.example']
  expect(readMarketplaceLink(linkTo('/reviews/17'), hosts)?.link).toBe(linkTo('/reviews/17'))
  expect(readMarketplaceLink('https://fernmarkt.example.evil.test/reviews/17', hosts)).toBeNull()
})

describe('a coupon link is refused', () => {
  test.each([
    [
      'a host that only begins with the listed one',
      'https://fernmarkt.example.evil.test/listing/7?coupon=EVEN',
    ],
    ['a host that only ends in its letters', 'https://notfernmarkt.example/listing/7?coupon=EVEN'],
    ['the listed host in the query', 'https://evil.test/?fernmarkt.example'],
    ['the listed host in the path', 'https://evil.test/fernmarkt.example'],
    ['the listed host as a user', 'https://fernmarkt.example@evil.test/'],
    ['the listed host as a fragment', 'https://evil.test/#.fernmarkt.example'],
    ['a user', 'https://anna@fernmarkt.example/listing/7?coupon=EVEN'],
    ['a user and a password', 'https://anna:pw@fernmarkt.example/listing/7?coupon=EVEN'],
    ['a port', 'https://fernmarkt.example:8443/listing/7?coupon=EVEN'],
    ['plain http', 'http://fernmarkt.example/listing/7?coupon=EVEN'],
    ['another scheme', 'ftp://fernmarkt.example/listing/7?coupon=EVEN'],
    ['a script', 'javascript:alert(1)//https://fernmarkt.example/'],
    ['data', 'data:text/html,https://fernmarkt.example/'],
    ['a backslash', 'https://evil.test\\.fernmarkt.example/listing/7?coupon=EVEN'],
    ['a space inside', 'https://fernmarkt.example/listing/7?coupon=EVEN b'],
    ['a line break inside', 'https://fernmarkt.example/\nlisting/7?coupon=EVEN'],
    ['a tab inside the scheme', 'ht\ttps://fernmarkt.example/listing/7?coupon=EVEN'],
    ['letters that look alike', 'https://fernm\u0430rkt.example/listing/7?coupon=EVEN'],
    ['a full-width dot', 'https://fernmarkt\uff0eexample/listing/7?coupon=EVEN'],
    ['a trailing dot', 'https://fernmarkt.example./listing/7?coupon=EVEN'],
    ['no scheme', 'fernmarkt.example/listing/7?coupon=EVEN'],
    ['nothing', ''],
    ['more than the longest link', `https://fernmarkt.example/${'a'.repeat(couponLinkLength)}`],
  ])('with %s', (_, text) => {
    expect(read(text)).toBeNull()
    expect(readMarketplaceLink(text, ['fernmarkt.example'])).toBeNull()
  })
})

test('no link to a host outside the list is accepted', () => {
  const piece = fc.constantFrom(
    'https://', 'http://', 'fernmarkt.example', 'evil.test', '.', '@', ':', '/', '//', '?', '#', '\\', '%2e',
    '%40', ' ', '\t', 'www.', '[', ']', '1', ';', '&', '\u3002', '%00', 'xn--', ':443',
    '/listing/7?coupon=EVEN',
  ) // prettier-ignore
  const text = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((parts) => `https://${parts.join('')}`),
    fc.array(piece, { maxLength: 9 }).map((parts) => parts.join('')),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  )
  fc.assert(
    fc.property(text, (candidate) => {
      const link = readMarketplaceLink(candidate, ['fernmarkt.example'])
      if (!link) {
        expect(read(candidate)).toBeNull()
        return
      }
      const { protocol, hostname, username, password, port } = new URL(link.link)
      expect([protocol, username, password, port]).toEqual(['https:', '', '', ''])
      expect(hostname === 'fernmarkt.example' || hostname.endsWith('.fernmarkt.example')).toBe(true)
    }),
    { numRuns: 5000 },
  )
})

test('however a link is spelled, it names one listing or none', () => {
  const noise = fc.constantFrom(
    'z=1',
    'utm=1',
    'UTM_Medium=mail',
    'ref=home',
    'COUPON=X',
    'listing=8',
    '%00x',
    '=',
    '',
  )
  const parts = fc.record({
    id: fc.integer({ min: 1, max: 999_999 }),
    zeros: fc.nat(4),
    before: fc.array(noise, { maxLength: 3 }),
    after: fc.array(noise, { maxLength: 3 }),
    slashes: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), fc.nat(3)),
    encoded: fc.uniqueArray(fc.nat(6), { maxLength: 4 }),
    host: fc.constantFrom(
      'fernmarkt.example',
      'www.fernmarkt.example',
      'FERNMARKT.example',
      'fernmarkt.example:443',
    ),
    upper: fc.boolean(),
    fragment: fc.constantFrom('', '#top', '#?coupon=ODD'),
  })
  fc.assert(
    fc.property(parts, ({ id, zeros, before, after, slashes, encoded, host, upper, fragment }) => {
      const word = [...(upper ? 'LISTING' : 'listing')]
        .map((letter, at) => (encoded.includes(at) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
        .join('')
      const [first, second, last] = slashes.map((count) => '/'.repeat(count))
      const query = [...before, 'coupon=EVEN', ...after].join('&')
      const path = `${first}${word}${second}${'0'.repeat(zeros)}${id}${last}`
      const text = `https://${host}${path}?${query}${fragment}`
      expect([String(id), undefined]).toContain(read(text)?.listing)
      if (!query.includes('%00')) expect(read(text)?.listing).toBe(String(id))
    }),
  )
})

test('a masked coupon link shows no coupon, no user and no password', () => {
  expect(maskCouponLink('https://fernmarkt.example/listing/7?coupon=SECRET#SECRET')).toBe(
    'https://fernmarkt.example/listing/7?…',
  )
  expect(maskCouponLink('https://anna:SECRET@evil.test/')).toBe('https://evil.test/')
  expect(maskCouponLink('SECRET')).toBe('(not a link)')
  expect(maskCouponLink(`https://fernmarkt.example/${'a'.repeat(4000)}`)).toHaveLength(300)
})
