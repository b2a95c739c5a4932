import { afterEach, expect, test } from 'vitest'
import { listingHref } from './listing-href.ts'

const link = 'https://makerlane.example/listing/204?coupon=FREE'

afterEach(() => document.documentElement.removeAttribute('data-demo'))

test('a listing opens on its marketplace', () => {
  expect(listingHref(link)).toBe(link)
})

test('in a demo, a listing of the made-up marketplace opens in our own shop, and others stay', () => {
  document.documentElement.setAttribute('data-demo', '')
  expect(listingHref(link)).toBe('/demo-shop/listing/204?coupon=FREE')
  for (const other of [
    'https://makerlane.example.elsewhere.example/listing/204',
    'https://www.makerlane.example/listing/204',
    'http://makerlane.example/listing/204',
    'javascript:alert(1)//makerlane.example/',
  ])
    expect(listingHref(other)).toBe(other)
})
