import { expect, test } from 'vitest'
import { rank } from './search-ranking.ts'
import type { Hit } from './search-ranking.ts'

const hit = (label: string, hint: string, href: string): Hit => ({ id: label, label, hint, href, icon: null })

const groups = [
  { value: 'Products', items: [hit('Moon chart', 'Product', '/assets'), hit('Atlas', 'Product', '/assets')] },
  { value: 'Actions', items: [hit('Add a product', 'Action', '/assets?add')] },
  { value: 'Pages', items: [hit('Digital assets', 'Page', '/assets'), hit('Activity', 'Page', '/activity')] },
]

const labels = (found: ReturnType<typeof rank>) =>
  found.map(({ value, items }) => [value, ...items.map(({ label }) => label)])

test('before something is typed, an address that several products share is shown as its page', () => {
  expect(labels(rank('', groups, ['/assets']))).toEqual([
    ['Opened last', 'Digital assets'],
    ['Products', 'Moon chart', 'Atlas'],
    ['Actions', 'Add a product'],
    ['Pages', 'Activity'],
  ])
})

test('the group with the best hit comes first, and a page that was opened before its equals', () => {
  expect(labels(rank('at', groups, []))).toEqual([['Products', 'Atlas']])
  expect(labels(rank('a', groups, ['/activity'])).map(([value]) => value)).toEqual([
    'Products',
    'Actions',
    'Pages',
  ])
})
