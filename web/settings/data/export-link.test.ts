import { afterEach, describe, expect, test } from 'vitest'
import { exportSecretFor, followExportLink, deleteExportSecret } from './export-link.ts'

afterEach(deleteExportSecret)

describe('the link to an archive', () => {
  test('without an archive leads nowhere else', () => {
    expect(followExportLink('', '')).toBeNull()
    expect(followExportLink('?section=devices', 'token=s3cret')).toBeNull()
  })

  test('keeps its secret out of the address, and for that archive alone', () => {
    expect(followExportLink('?export=0193-a', 'token=s3cret')).toBe('/settings/data?export=0193-a')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
    expect(exportSecretFor('0193-b')).toBeNull()
    deleteExportSecret()
    expect(exportSecretFor('0193-a')).toBeNull()
  })

  test('opened again without its secret does not forget it', () => {
    followExportLink('?export=0193-a', 'token=s3cret')
    followExportLink('?export=0193-a', '')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
  })
})
