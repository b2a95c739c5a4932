import { expect, test } from 'vitest'
import { outlineOf, readingMinutes } from './outline.ts'
import { articles, topics } from './texts.ts'

test('the outline of an article has its headings in order, each with its own id, and all of its text', () => {
  const policy = articles.find(({ slug }) => slug === 'authentic-review-policy')
  if (!policy) throw new Error('The article does not exist.')
  const { headings, text } = outlineOf(policy.Text)
  expect(headings.slice(0, 2)).toEqual([
    { level: 2, id: 'the-disclosure', title: 'The disclosure' },
    { level: 2, id: 'what-the-law-requires', title: 'What the law requires' },
  ])
  expect(text).toContain('It may ban them. Its terms apply to you')
  expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length)
  expect(readingMinutes(policy.Text)).toBeGreaterThanOrEqual(2)
})

test('every text has content, and a figure in place of each name', () => {
  for (const { title, Text } of [...articles, ...topics]) {
    const { text } = outlineOf(Text)
    expect(text.length, title).toBeGreaterThan(200)
    expect(text, title).not.toMatch(/[{}]|undefined/)
  }
})
