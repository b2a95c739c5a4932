import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Notice } from '#contract/notifications.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

let notices: Notice[]
let marked: unknown[]

beforeEach(() => {
  const at = (hour: number) => `2026-11-10T${String(hour).padStart(2, '0')}:00:00Z`
  const one = (nth: number, about: string, title: string, more: Partial<Notice> = {}): Notice => ({
    id: `0192f0c0-0000-7000-8000-00000000000${nth}`,
    about,
    title,
    message: `About ${about}.`,
    priority: 'medium',
    unread: true,
    settled: false,
    action: { label: 'Open review', href: '/reviews' },
    createdAt: at(12 - nth),
    ...more,
  })
  notices = [
    one(1, 'planner', 'Review verified'),
    one(2, 'poster', 'Your payment failed', { priority: 'high' }),
    one(3, 'planner', 'Review to confirm', { settled: true, unread: false }),
    one(4, 'offer', 'A review offer is waiting for you', { settled: true, unread: false, priority: 'high' }),
    one(5, 'planner', 'Your review is under way'),
  ]
  marked = []
  answerBy(async (call, request) => {
    const unread = notices.filter((notice) => notice.unread).length
    if (call === 'GET me') return { ...ada, unread }
    if (call === 'GET notifications') return { items: notices, next: null }
    if (!call.startsWith('POST notifications')) return undefined
    const body = (await request.json().catch(() => null)) as { ids: string[] } | null
    marked.push([call, body?.ids.length ?? 'all'])
    notices = notices.map((each) => ({
      ...each,
      unread: each.unread && body?.ids.includes(each.id) === false,
    }))
    return done
  })
})
afterEach(() => vi.unstubAllGlobals())

test('what belongs together stands together, and what is over says so and asks for nothing', async () => {
  await open('/notifications')
  const rows = page.getByRole('list', { name: 'Nov 10, 2026' }).getByRole('listitem')
  await expect.element(page.getByText('You have 3 unread notifications')).toBeVisible()
  const together = page.getByText('2 earlier about the same')
  await together.click()
  const earlier = page.getByRole('list', { name: 'Earlier about the same' })
  await expect.element(earlier.getByText('Your review is under way')).toBeVisible()
  await expect.element(earlier.getByText('No longer open')).toBeVisible()
  expect(rows.elements().filter((row) => row.textContent.includes('Important'))).toHaveLength(1)
  expect(page.getByRole('link', { name: 'Open review' }).elements()).toHaveLength(2)
})

test('a group is marked as read as one, then what is selected, then all', async () => {
  const { queryClient } = await open('/notifications')
  await page.getByRole('button', { name: 'Mark as read: Review verified' }).click()
  await expect.element(page.getByText('You have 1 unread notification')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select: A review offer is waiting for you' }).click()
  const bulk = page.getByRole('button', { name: 'Mark selected as read' })
  await expect.element(bulk).toHaveAccessibleDescription('All of them are read.')
  await page.getByRole('checkbox', { name: '1 selected' }).click()
  await expect.element(page.getByRole('checkbox', { name: '3 selected' })).toBeChecked()
  await bulk.click()
  await expect.element(page.getByText('All caught up!')).toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: 'Select all' })).not.toBeChecked()
  notices = notices.map((notice) => ({ ...notice, unread: true }))
  void queryClient.invalidateQueries()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.element(page.getByText('All notifications marked as read')).toBeVisible()
  expect(marked).toEqual([
    ['POST notifications/read-some', 2],
    ['POST notifications/read-some', 1],
    ['POST notifications/read', 'all'],
  ])
})
