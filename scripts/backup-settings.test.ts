import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/kit/config.ts'
import { readBackupSettings } from './backup-settings.ts'

const bucketOf = (prefix: string, bucket: string) => ({
  [`${prefix}_ENDPOINT`]: 'https://s3.example',
  [`${prefix}_BUCKET`]: bucket,
  [`${prefix}_ACCESS_KEY_ID`]: 'an id',
  [`${prefix}_SECRET_ACCESS_KEY`]: 'a key',
})
const backups = bucketOf('BACKUP_S3', 'club-backups')

describe('backups', () => {
  test('go to the folder or to the bucket of the settings', () => {
    expect(read({ BACKUP_DIR: '/srv/backups' }).store.where).toBe('/srv/backups')
    expect(read(backups).store.where).toBe('the bucket club-backups')
    expect(read({ ...backups, ...bucketOf('S3', 'club-files') }).store.where).toBe('the bucket club-backups')
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['no place', {}, /^BACKUP_DIR is missing: .* or set a bucket in BACKUP_S3_BUCKET/],
    ['two places', { BACKUP_DIR: '/srv/backups', ...backups }, /BACKUP_S3_BUCKET are both set/],
    [
      'half a bucket',
      { BACKUP_S3_BUCKET: 'club-backups' },
      /^BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET, .* belong/,
    ],
    [
      'the bucket of the files',
      { ...backups, ...bucketOf('S3', 'club-backups') },
      /is the bucket of the files/,
    ],
    [
      'a bucket that is not encrypted on its way',
      { ...backups, BACKUP_S3_ENDPOINT: 'http://s3.example' },
      /^BACKUP_S3_ENDPOINT must be an https address in production/,
    ],
    ['a strange rule', { ...backups, BACKUP_KEEP: '7' }, /^BACKUP_KEEP is not usable/],
    ['a strange recipient', { ...backups, BACKUP_RECIPIENT: 'me' }, /^BACKUP_RECIPIENT is no recipient/],
  ])('are refused with %s', (_what, env, sentence) => {
    expect(() => read(env)).toThrow(sentence)
  })
})

function read(more: Record<string, string>) {
  const env = {
    EVENHAND_MODE: 'production',
    PUBLIC_ORIGIN: 'https://club.example',
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789-abcdef',
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'hello@club.example',
    TRUSTED_PROXY_HEADER: 'x-real-ip',
    ...more,
  }
  return readBackupSettings({ config: readConfig(env), env })
}
