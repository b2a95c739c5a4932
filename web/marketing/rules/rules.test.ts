import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as matchingRules from '#contract/matching-rules.ts'
import * as matching from '#contract/matching.ts'
import * as members from '#contract/members.ts'
import * as membership from '#contract/membership.ts'
import * as privacy from '#contract/privacy.ts'
import * as products from '#contract/products.ts'
import * as retention from '#contract/retention.ts'
import * as reviewText from '#contract/review-text.ts'
import * as reviews from '#contract/reviews.ts'
import * as signIn from '#contract/sign-in.ts'
import { published } from './limits.ts'
import type { Limits } from './limits.ts'
import { listRules } from './rules.ts'

type Leaf = { path: (string | number)[]; value: number }

/** Every number in a value, with its path. */
function leavesOf(value: unknown, path: (string | number)[] = []): Leaf[] {
  if (typeof value === 'number') return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]))
}

function changed({ path, value }: Leaf): Limits {
  const limits: Limits = structuredClone(published)
  let place = limits as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>
  place[path.at(-1) ?? ''] = value * 2 + 1
  return limits
}

const asText = (limits?: Limits) => JSON.stringify(listRules(limits))

test.each(leavesOf(published).map((leaf) => ({ ...leaf, name: leaf.path.join('.') })))(
  'another value of $name changes the rules page',
  (leaf) => {
    expect(asText(changed(leaf))).not.toBe(asText())
  },
)

// Technical limits, and limits that a form itself states.
const notPublished = new Set([
  'usernameCheckDelay',
  'secretLifetimeMinutes',
  'couponLinkLength',
  'productsAtOnce',
  'summaryLength',
  'imageBytesLimit',
  'demoMembershipDays',
  'avatarBytesLimit',
  'freshMinutes',
  'emailChangeMinutes',
  'recoveryCodeCount',
  'nameLength',
  'passkeyNameLength',
  'erasuresPerDay',
  'retention',
  'ringSearch',
  'offerManners',
  'mailAgainSeconds',
  'wordRepeats',
  'knownDeviceDays',
  'beaconSeconds',
  'queuePlaces',
])

test('every limit of the contract that members notice is on the rules page', () => {
  const limits = [
    accounts,
    matching,
    matchingRules,
    members,
    membership,
    privacy,
    products,
    retention,
    reviews,
    reviewText,
    signIn,
  ]
    .flatMap((part) => Object.entries(part))
    .filter(([, value]) => isLimit(value))
    .map(([name]) => name)
  expect(limits.length).toBeGreaterThan(40)
  const onPage = new Set(Object.keys(published))
  expect(limits.filter((name) => !onPage.has(name) && !notPublished.has(name))).toEqual([])
})

/** Whether it is a number, or contains only numbers. */
function isLimit(value: unknown): boolean {
  if (typeof value === 'number') return true
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false
  const parts = Object.values(value)
  return parts.length > 0 && parts.every(isLimit)
}

test('the rules page takes its figures from the contract', () => {
  expect(published.purchaseHours).toBe(matchingRules.purchaseHours)
  expect(published.membershipPriceCents).toBe(membership.membershipPriceCents)
  expect(asText()).toContain('72 hours')
})

test('each group of rules and each rule is different from the others', () => {
  const groups = listRules()
  expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length)
  for (const { rules } of groups) {
    expect(new Set(rules.map(({ figure, name }) => `${figure} ${name}`)).size).toBe(rules.length)
    for (const { sentence } of rules) expect(sentence).toMatch(/^[A-Z“].*[.”]$/)
  }
})
