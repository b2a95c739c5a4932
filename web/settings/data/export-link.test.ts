import { afterEach, describe, expect, test } from 'vitest'
import { exportSecretFor, followExportLink, deleteExportSecret } from './export-link.ts'

afterEach(deleteExportSecret)

describe('the link to an archive', () => {
  test('without an archive leads nowhere', () => {
    expect(followExportLink('', '')).toBeNull()
    expect(followExportLink('?section=devices', 'token=s3cret')).toBeNull()
  })

  test('moves its secret out of the address, and keeps it for that archive only', () => {
    expect(followExportLink('?export=0193-a', 'token=s3cret')).toBe('/settings/data?export=0193-a')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
    expect(exportSecretFor('0193-b')).toBeNull()
    deleteExportSecret()
    expect(exportSecretFor('0193-a')).toBeNull()
  })

  test('keeps the secret when it is opened again without it', () => {
    followExportLink('?export=0193-a', 'token=s3cret')
    followExportLink('?export=0193-a', '')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
  })
})
