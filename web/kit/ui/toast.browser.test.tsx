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
  await expect.element(shown()).toBeVisible()
}

test('a toast leaves by itself after 4 s', async () => {
  await showToast()
  await vi.advanceTimersByTimeAsync(3_900)
  await expect.element(shown()).toBeVisible()
  await vi.advanceTimersByTimeAsync(200)
  await expect.element(shown()).not.toBeInTheDocument()
})

test('a toast waits while it is hovered', async () => {
  await showToast()
  await userEvent.hover(shown())
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(shown()).toBeVisible()
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await vi.advanceTimersByTimeAsync(4_100)
  await expect.element(shown()).not.toBeInTheDocument()
})

test('a toast waits while the keyboard is in it', async () => {
  await showToast()
  shown().element().focus()
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(shown()).toBeVisible()
  page.getByRole('button', { name: 'Dismiss' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(shown()).not.toBeInTheDocument()
})
