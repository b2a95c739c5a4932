import { expect, test } from 'vitest'
import { outlineOf, readingMinutes } from './outline.ts'
import { articles, topics } from './texts.ts'

test('the outline of an article has its headings in order, each with a place of its own, and all of its words', () => {
  const policy = articles.find(({ slug }) => slug === 'authentic-review-policy')
  if (!policy) throw new Error('There is no such article.')
  const { headings, words } = outlineOf(policy.Text)
  expect(headings.slice(0, 2)).toEqual([
    { level: 2, id: 'the-disclosure', title: 'The disclosure' },
    { level: 2, id: 'what-the-law-asks', title: 'What the law asks' },
  ])
  expect(words).toContain('It may forbid them. Its terms apply to you')
  expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length)
  expect(readingMinutes(policy.Text)).toBeGreaterThanOrEqual(2)
})

test('every text has words, and a figure in the place of each name', () => {
  for (const { title, Text } of [...articles, ...topics]) {
    const { words } = outlineOf(Text)
    expect(words.length, title).toBeGreaterThan(200)
    expect(words, title).not.toMatch(/[{}]|undefined/)
  }
})
