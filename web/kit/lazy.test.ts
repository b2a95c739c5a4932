import { expect, test, vi } from 'vitest'
import { lazy } from './lazy.ts'

test('a module is loaded only once', async () => {
  const load = vi.fn(() => Promise.resolve('menu'))
  const menu = lazy(load)
  expect(await Promise.all([menu(), menu()])).toEqual(['menu', 'menu'])
  expect(load).toHaveBeenCalledOnce()
})

test('a failed load is tried again on the next call', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce('menu')
  const menu = lazy(load)
  await expect(menu()).rejects.toThrow('offline')
  expect(await menu()).toBe('menu')
})
