import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAutosave } from './autosave.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('typing is saved once, after a pause', async () => {
  const { autosave, server } = start()
  for (const text of ['I', 'I u', 'I used it']) autosave.change(text)
  expect(server.saved).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved).toEqual(['I used it'])
  expect(autosave.state()).toEqual({ kind: 'saved', at: 'save 1' })
  expect(autosave.isUnsaved()).toBe(false)
})

test('what is typed during a save is saved after it, not in parallel', async () => {
  const { autosave, server } = start()
  void server.hold()
  autosave.change('first')
  await vi.advanceTimersByTimeAsync(1_000)
  autosave.change('second')
  autosave.flush()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.begun).toEqual(['first'])
  expect(autosave.isUnsaved()).toBe(true)
  server.release()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved).toEqual(['first', 'second'])
  expect(autosave.state().kind).toBe('saved')
})

test('a failed save keeps the text and is tried again until it succeeds', async () => {
  const { autosave, server } = start()
  server.failNext(2)
  autosave.change('kept')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(autosave.state()).toMatchObject({ kind: 'failed', willRetry: true })
  expect(autosave.isUnsaved()).toBe(true)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(server.saved).toEqual([])
  await vi.advanceTimersByTimeAsync(8_000)
  expect(server.saved).toEqual(['kept'])
})

test('a save with a final error is not retried', async () => {
  const { autosave, server } = start(() => true)
  server.failNext(1)
  autosave.change('too late')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(server.begun).toEqual(['too late'])
  expect(autosave.state()).toMatchObject({ kind: 'failed', willRetry: false })
  expect(autosave.newest()).toBe('too late')
})

test('flush saves at once, and after stop nothing is saved', async () => {
  const { autosave, server } = start()
  autosave.change('now')
  autosave.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(server.saved).toEqual(['now'])
  autosave.change('never')
  autosave.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.saved).toEqual(['now'])
  expect(autosave.newest()).toBeUndefined()
})

function start(isFinal: (error: unknown) => boolean = () => false) {
  const begun: string[] = []
  const saved: string[] = []
  let failures = 0
  let gate = Promise.resolve()
  let release = () => {}
  const autosave = createAutosave<string>(async (value) => {
    begun.push(value)
    await gate
    if (failures > 0) {
      failures -= 1
      throw new Error('offline')
    }
    saved.push(value)
    return `save ${saved.length}`
  }, isFinal)
  const server = {
    begun,
    saved,
    failNext: (times: number) => (failures = times),
    hold: () => (gate = new Promise((open) => (release = open))),
    release: () => release(),
  }
  return { autosave, server }
}
