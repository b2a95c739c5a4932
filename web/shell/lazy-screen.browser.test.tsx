import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { CrashScreen } from './crash-screen.tsx'
import { lazyScreen } from './lazy-screen.ts'

afterEach(() => vi.unstubAllGlobals())

test('a screen that cannot load without the server says so and checks the server again', async () => {
  const asked = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', asked)
  await openScreen(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /a.js')))
  await expect.element(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
  const before = asked.mock.calls.length
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(before)
  expect(asked).toHaveBeenLastCalledWith('/livez', expect.anything())
})

async function openScreen(load: () => Promise<{ Screen: () => null }>) {
  const root = createRootRoute()
  const screen = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyScreen(load, 'Screen'),
  })
  const router = createRouter({
    routeTree: root.addChildren([screen]),
    history: createMemoryHistory(),
    defaultErrorComponent: CrashScreen,
  })
  await router.load()
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
