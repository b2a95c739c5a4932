import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPolicyReports } from './policy-reports.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const expected = [{ directive: 'script-src-elem', page: '/reset-password', blocked: 'https://evil.example' }]

test('a report names directive, path and origin, without what an address holds besides', () => {
  const body = {
    effectiveDirective: 'script-src-elem',
    documentURL: 'https://club.example/reset-password?a=1#token=secret',
    blockedURL: 'https://evil.example/x.js?secret',
  }
  expect(readPolicyReports(bytes([{ type: 'csp-violation', body }]))).toEqual(expected)
  const old = {
    'effective-directive': body.effectiveDirective,
    'document-uri': body.documentURL,
    'blocked-uri': body.blockedURL,
  }
  expect(readPolicyReports(bytes({ 'csp-report': old }))).toEqual(expected)
  expect(readPolicyReports(bytes({ 'csp-report': { ...old, 'blocked-uri': 'inline' } }))).toEqual([
    { ...expected[0], blocked: 'inline' },
  ])
})

test('whatever is sent, few reports of few characters are read', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json().map((text) => new TextEncoder().encode(text)),
        fc.uint8Array(),
      ),
      (body) => {
        expect(readPolicyReports(body).length).toBeLessThanOrEqual(5)
      },
    ),
  )
  const many = Array.from({ length: 50 }, () => ({ body: { effectiveDirective: 'x'.repeat(5000) } }))
  expect(readPolicyReports(bytes(many))).toEqual(
    Array.from({ length: 5 }, () => ({ directive: 'x'.repeat(60), page: '', blocked: '' })),
  )
  expect(readPolicyReports(null)).toEqual([])
})
