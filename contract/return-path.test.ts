import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeReturnPath } from './return-path.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const origin = 'https://app.example.com'

describe('the return path', () => {
  test.each([
    '//evil.com',
    '/\\evil.com',
    '/\t/evil.com',
    '/%2F%2Fevil.com',
    '/%252F%252Fevil.com',
    '/%5Cevil.com',
    '/..//evil.com',
    'https:evil.com',
    'https://app.example.com.evil.com/',
    'https://app.example.com@evil.com/',
    'https://app.example.com/dashboard',
    'javascript:alert(1)',
    'data:text/html,x',
    `blob:${origin}/x`,
    'https://app.example.com:8443/',
    '/api/me',
    '/auth/callback?returnTo=/x',
    '/%61uth/callback',
    '/AUTH/callback',
    '/x/../auth/callback',
    '/x/%252e%252e/auth/callback',
    '/logout',
    '/grün',
    `/${'a'.repeat(5000)}`,
    'dashboard',
    '',
    null,
    undefined,
  ])('%j leads to the dashboard', (text) => {
    expect(safeReturnPath(text, origin)).toBe('/dashboard')
  })

  test.each([
    ['/assets', '/assets'],
    ['/reviews?tab=received#r1', '/reviews?tab=received#r1'],
    ['/signin?returnTo=//evil.com', '/signin?returnTo=//evil.com'],
    ['/authors', '/authors'],
    ['/a/../b', '/b'],
    ['/gr%C3%BCn', '/gr%C3%BCn'],
    ['/100%', '/100%'],
  ])('%j stays %j', (text, path) => {
    expect(safeReturnPath(text, origin)).toBe(path)
  })

  test('never leaves our origin and never names a closed path, for any input', () => {
    const piece = fc.constantFrom(
      ...'/\\.:@?#%;'.split(''),
      '%2f',
      '%5C',
      '%252F',
      'evil.com',
      '..',
      'auth',
      'https',
      '\t',
      'a',
    )
    const odd = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(piece, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
    )
    fc.assert(
      fc.property(odd, (text) => {
        const path = safeReturnPath(text, origin)
        const landed = new URL(path, origin)
        expect(landed.origin).toBe(origin)
        expect(path).toMatch(/^\/(?!\/)/)
        expect(landed.pathname).not.toMatch(/^\/(api|auth|logout)(\/|$)/i)
      }),
      { numRuns: 2000 },
    )
  })
})
