import { expect, test } from 'vitest'
import { openLog } from '#server/kit/log.ts'
import { StorageDown, StorageFull } from '#server/kit/uploads/files.ts'
import { useClub } from '#server/testing/club.ts'
import { describeError } from './edge-errors.ts'

const club = useClub()

test.each([
  [new StorageFull(), 507, 'error'],
  [new StorageDown(), 503, 'warn'],
  [new Error('a bug'), 500, 'error'],
] as const)('%o is in the log under the number that its answer names', (error, status, level) => {
  const lines: unknown[] = []
  const log = openLog('test', 'silent')
  log[level] = (fields: object) => void lines.push(fields)
  const problem = describeError(error, { ...club.system, log }, 'r-7')
  expect(problem).toMatchObject({ status, data: { reference: 'r-7' } })
  expect(problem.message).toContain('r-7')
  expect(lines).toMatchObject([{ err: error, requestId: 'r-7' }])
})
