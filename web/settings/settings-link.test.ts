import { afterEach, describe, expect, test } from 'vitest'
import { exportSecretFor, forgetExportSecret } from './export-link.ts'
import { followSettingsLink } from './settings-link.ts'

afterEach(forgetExportSecret)

describe('a link to the settings', () => {
  test.each([
    ['', 'notifications', '/settings/notifications'],
    ['?section=devices', '', '/settings/devices'],
    ['', 'export', '/settings/data'],
    ['?section=delete', 'notifications', '/settings/delete'],
    ['', '', null],
    ['?section=//evil.example', '', null],
    ['', 'page-title', null],
  ])('%s#%s leads to %s', (search, hash, href) => {
    expect(followSettingsLink(search, hash)).toBe(href)
  })

  test('of an archive keeps its secret out of the address, and for that archive alone', () => {
    expect(followSettingsLink('?export=0193-a', 'token=s3cret')).toBe('/settings/data?export=0193-a')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
    expect(exportSecretFor('0193-b')).toBeNull()
    forgetExportSecret()
    expect(exportSecretFor('0193-a')).toBeNull()
  })

  test('of an archive that was opened before without its secret does not forget it', () => {
    followSettingsLink('?export=0193-a', 'token=s3cret')
    followSettingsLink('?export=0193-a', '')
    expect(exportSecretFor('0193-a')).toBe('s3cret')
  })
})
