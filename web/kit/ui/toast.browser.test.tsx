import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { toast } from './toast.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const shown = () => page.getByRole('dialog', { name: 'Review Requested' })

async function showToast() {
  await render(
    <KitRoot>
      <button type="button" style={{ position: 'fixed', bottom: 200, left: 0 }}>
        Elsewhere
      </button>
    </KitRoot>,
  )
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  toast({ title: 'Review Requested', description: 'Finding a reviewer for your product...', tone: 'success' })
  await frames(3_000, () => shown().query() !== null)
  await frames(2)
}

// Vitest's waiting would advance the fake clock, so these tests wait for animation frames, which are real.
async function frames(count: number, until: () => boolean = () => false) {
  for (let frame = 0; frame < count && !until(); frame += 1) {
    await new Promise((next) => requestAnimationFrame(next))
  }
}

async function expectGone() {
  await frames(3_000, () => shown().query() === null)
  expect(shown().query()).toBeNull()
}

async function expectStays() {
  await frames(30)
  expect(shown().query()?.hasAttribute('data-ending-style')).toBe(false)
}

test('a success disappears when an error comes', async () => {
  await showToast()
  toast({ title: 'Error', description: 'Failed to request review. Please try again.', tone: 'danger' })
  await expectGone()
  expect(page.getByRole('dialog', { name: 'Error' }).query()).not.toBeNull()
})

test('a toast disappears after 4 s', async () => {
  await showToast()
  vi.advanceTimersByTime(3_000)
  await expectStays()
  vi.advanceTimersByTime(1_100)
  await expectGone()
})

test('a toast stays while it is hovered', async () => {
  await showToast()
  await userEvent.hover(shown())
  await frames(2)
  vi.advanceTimersByTime(60_000)
  await expectStays()
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await frames(2)
  vi.advanceTimersByTime(4_100)
  await expectGone()
})

test('a toast stays while it has the focus', async () => {
  await showToast()
  shown().element().focus()
  await frames(2)
  vi.advanceTimersByTime(60_000)
  await expectStays()
  page.getByRole('button', { name: 'Dismiss' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expectGone()
})
