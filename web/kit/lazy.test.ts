import { expect, test, vi } from 'vitest'
import { lazy } from './lazy.ts'

test('a module is loaded once, however often it is needed', async () => {
  const load = vi.fn(() => Promise.resolve('menu'))
  const menu = lazy(load)
  expect(await Promise.all([menu(), menu()])).toEqual(['menu', 'menu'])
  expect(load).toHaveBeenCalledOnce()
})

test('after a failed load the next try asks again', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce('menu')
  const menu = lazy(load)
  await expect(menu()).rejects.toThrow('offline')
  expect(await menu()).toBe('menu')
})
