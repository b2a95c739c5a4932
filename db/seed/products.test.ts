import { describe, expect, test } from 'vitest'

import { readCouponLink } from '#contract/products.ts'
import { members } from './cast.ts'
import { marketplace, products } from './products.ts'

const categories = ['template', 'tool', 'design', 'guide', 'course', 'audio', 'video', 'other'] as const

describe('the products of the demo', () => {
  test('each category has at least six', () => {
    for (const category of categories) {
      expect(products.filter((one) => one.category === category).length, category).toBeGreaterThanOrEqual(6)
    }
  })

  test('each belongs to a member; every member but the new one sells something, at most ten products', () => {
    const sellers = new Map(members.map((one) => [one.username, 0]))
    for (const one of products) {
      expect(sellers.has(one.seller), one.seller).toBe(true)
      sellers.set(one.seller, (sellers.get(one.seller) ?? 0) + 1)
    }
    for (const [username, count] of sellers) {
      if (username === 'finn') {
        expect(count).toBe(0)
      } else {
        expect(count, username).toBeGreaterThanOrEqual(1)
        expect(count, username).toBeLessThanOrEqual(10)
      }
    }
  })

  test('no slug, title, code or coupon link occurs twice', () => {
    for (const key of ['slug', 'title', 'couponCode', 'couponLink'] as const) {
      expect(new Set(products.map((one) => one[key])).size, key).toBe(products.length)
    }
  })

  test('coupon links point at a listing of the marketplace and carry the code', () => {
    for (const one of products) {
      const link = new URL(one.couponLink)
      expect(link.protocol).toBe('https:')
      expect(link.hostname).toBe(marketplace.host)
      expect(link.pathname).toMatch(/^\/listing\/\d{9}$/)
      expect(readCouponLink(one.couponLink, [marketplace])?.link).toBe(one.couponLink)
      expect(link.searchParams.get('coupon')).toBe(one.couponCode)
    }
  })

  test('a coupon costs what the marketplace allows, and never more than the product', () => {
    const paid = new Set(products.map((one) => one.couponPriceCents))
    expect([...paid].sort((a, b) => a - b)).toEqual(marketplace.allowedCouponPricesCents)
    for (const one of products) {
      if (one.priceCents === null) {
        expect(one.couponPriceCents).toBe(0)
      } else {
        expect(one.priceCents).toBeGreaterThanOrEqual(100)
      }
    }
  })

  test('a description has two to four sentences, and three to six different tags go with it', () => {
    for (const one of products) {
      const sentences = one.description.match(/[.!?](?=\s|$)/g) ?? []
      expect(sentences.length, one.slug).toBeGreaterThanOrEqual(2)
      expect(sentences.length, one.slug).toBeLessThanOrEqual(5)
      expect(one.title.length, one.slug).toBeLessThanOrEqual(80)
      expect(new Set(one.tags).size, one.slug).toBe(one.tags.length)
      expect(one.tags.length, one.slug).toBeGreaterThanOrEqual(3)
      expect(one.tags.length, one.slug).toBeLessThanOrEqual(6)
    }
  })
})

describe('the marketplace of the demo', () => {
  test('is on a reserved domain, in the public lane, with the club’s disclosure to the letter', () => {
    expect(marketplace.host).toMatch(/\.example$/)
    expect(marketplace.lane).toBe('public')
    expect(marketplace.disclosure).toBe(
      'I belong to a review exchange and bought this with a discount code; my opinion is my own.',
    )
  })
})
