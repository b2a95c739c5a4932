import { render, toPlainText } from 'react-email'
import { describe, expect, test } from 'vitest'
import { reviewMails } from './mails.ts'

const site = { origin: 'https://club.example', demo: false }
const props = {
  name: 'Ben <b>bold</b>',
  product: 'Planner & www.evil.example <script>',
  reviewId: '01999999-0000-7000-8000-000000000001',
  purchaseDueAt: '2026-11-24T09:30:00.123456Z',
  dueAt: '2026-11-28T09:30:00.123456Z',
  reminder: 'buy-60',
  reason: 'not_visible',
  goesOn: true,
  mine: true,
  why: 'The policy changed.',
  after: 'It counts for neither side.',
  href: '/reviews',
}

async function written(template: string, change: Partial<typeof props> = {}) {
  const mail = reviewMails[template]?.({ ...props, ...change }, site)
  const html = await render(mail?.body)
  return { subject: mail?.subject ?? '', html, text: toPlainText(html) }
}

describe.each(Object.keys(reviewMails))('the mail %s', (template) => {
  test('shows user text literally, never in its subject, and links only to our own pages', async () => {
    const { subject, html, text } = await written(template)
    expect(subject).not.toMatch(/Ben|Planner|evil/)
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<b>bold')
    for (const [, href] of html.matchAll(/href="([^"]+)"/g))
      expect(href).toMatch(/^https:\/\/club\.example(\/|$)/)
    expect(text).toContain('Planner')
    expect(html).not.toContain('www.evil.example')
  })

  test('never mentions stars, ratings or a positive review', async () => {
    const { subject, text } = await written(template)
    expect(`${subject} ${text}`).not.toMatch(/star|rating|positive|five|5-/i)
  })
})

describe('deadlines in mail', () => {
  test('are given with their day and time zone', async () => {
    const { text } = await written('review-accepted')
    expect(text).toMatch(/Tuesday, November 24 at 9:30\sAM UTC/)
    expect(text).toMatch(/Saturday, November 28 at 9:30\sAM UTC/)
  })

  test('of a reminder are in its subject', async () => {
    expect((await written('review-reminder')).subject).toBe('12 hours left to buy')
    expect((await written('review-reminder', { reminder: 'write-last' })).subject).toBe(
      '1 day left to review',
    )
  })

  test('that were missed state the consequence', async () => {
    expect((await written('review-missed')).text).toContain('With 3 in 90 days, an account is suspended.')
  })
})
