import { describe, expect, test } from 'vitest'
import { partsInPlace, putFacts } from './markdown.ts'

const facts = { price: '$8', path: '/rules' }

test('a name in braces becomes its figure in text, in an address and in the head', () => {
  const tree = {
    type: 'root',
    children: [
      { type: 'yaml', value: 'description: Costs {{price}}.' },
      { type: 'text', value: '{{price}} a month, and {{ price }} again' },
      { type: 'link', url: '%7B%7Bpath%7D%7D#price', children: [{ type: 'inlineCode', value: '{{price}}' }] },
    ],
  }
  putFacts(tree, facts)
  expect(tree.children).toEqual([
    { type: 'yaml', value: 'description: Costs $8.' },
    { type: 'text', value: '$8 a month, and $8 again' },
    { type: 'link', url: '/rules#price', children: [{ type: 'inlineCode', value: '$8' }] },
  ])
})

test('a name that is no figure, even one that every object has, stops the build', () => {
  for (const name of ['prize', 'toString', ''])
    expect(() => putFacts({ type: 'text', value: `{{${name}}}` }, facts)).toThrow(`{{${name}}}`)
})

describe('a part of a text that holds only in some clubs', () => {
  const line = (value: string) => ({ type: 'paragraph', children: [{ type: 'text', value }] })
  const treeOf = (...lines: string[]) => ({ type: 'root', children: lines.map(line) })

  test('becomes one element, and the lines around it disappear', () => {
    const tree = treeOf('Before.', ':::open', 'Pay.', 'Or not.', ':::', 'After.')
    partsInPlace(tree)
    expect(tree.children).toEqual([
      line('Before.'),
      {
        type: 'part',
        data: { hName: 'section', hProperties: { dataPayments: 'open' } },
        children: [line('Pay.'), line('Or not.')],
      },
      line('After.'),
    ])
  })

  test.each([
    ['without an end', [':::open', 'Pay.']],
    ['inside another', [':::open', ':::closed', ':::']],
    ['of an unknown name', [':::later', ':::']],
  ])('is refused %s', (_, lines) => {
    expect(() => partsInPlace(treeOf(...lines))).toThrow(':::')
  })
})
