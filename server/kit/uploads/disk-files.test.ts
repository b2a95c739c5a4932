import type { FileHandle } from 'node:fs/promises'
import { mkdir, mkdtemp, open, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDiskFiles } from './disk-files.ts'
import { newFileKey, StorageDown, StorageFull } from './files.ts'

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'files-test-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true })
})

test('a file given in parts is one file, and there only once it is whole', async () => {
  const files = openDiskFiles({ dataDir })
  const [key, broken] = [newFileKey(), newFileKey()]
  async function* parts(fault?: Error) {
    yield Buffer.from('one ')
    if (fault) throw fault
    yield Buffer.from('file')
  }
  await files.put(key, parts())
  expect(String(await files.get(key))).toBe('one file')
  await expect(files.put(broken, parts(new Error('lost')))).rejects.toThrow('lost')
  expect(await files.get(broken)).toBeNull()
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toHaveLength(1)
})

test('a file lies two folders deep, readable by the server alone', async () => {
  const key = newFileKey()
  await mkdir(join(dataDir, 'files'), { mode: 0o755 })
  await openDiskFiles({ dataDir }).put(key, Buffer.from('x'))
  const folders = [join(dataDir, 'files'), key.slice(0, 2), key.slice(2, 4), key]
  const modes = []
  for (let depth = 1; depth <= 4; depth++)
    modes.push((await stat(join(...folders.slice(0, depth)))).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600])
})

test.each(['../../outside', '', 'a'.repeat(31), 'A'.repeat(32), `${'a'.repeat(31)}/`, `${'a'.repeat(32)}\0`])(
  'nothing but a key leads to a path: %j',
  async (key) => {
    const files = openDiskFiles({ dataDir })
    await expect(files.put(key, Buffer.from('x'))).rejects.toThrow(TypeError)
    await expect(files.get(key)).rejects.toThrow(TypeError)
    await expect(files.remove(key)).rejects.toThrow(TypeError)
    expect(await allNames()).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')('a link in the place of a file is not followed', async () => {
  const files = openDiskFiles({ dataDir })
  const key = newFileKey()
  await files.put(key, Buffer.from('x'))
  await files.remove(key)
  await symlink('/etc/hostname', join(dataDir, 'files', key.slice(0, 2), key.slice(2, 4), key))
  await expect(files.get(key)).rejects.toThrow(StorageDown)
})

test.each([
  ['ENOSPC', StorageFull, 507],
  ['EDQUOT', StorageFull, 507],
  ['EROFS', StorageDown, 503],
  ['EIO', StorageDown, 503],
])('a disk that fails with %s leaves neither the file nor a part of it', async (code, refusal, status) => {
  const files = openDiskFiles({ dataDir })
  await files.put('abcd'.padEnd(32, '0'), Buffer.from('before'))
  const kept = await allNames()
  for (const kind of ['file', 'folder'] as const) {
    const synced = await failSync(kind, code)
    const failed = await files
      .put('abcd'.padEnd(32, '1'), Buffer.from('lost'))
      .catch((fault: unknown) => fault)
    expect(failed).toBeInstanceOf(refusal)
    expect(failed).toMatchObject({ status })
    expect(String(failed)).not.toContain(dataDir)
    expect(synced).toEqual(kind === 'file' ? ['file'] : ['file', 'folder'])
    expect(await allNames()).toEqual(kept)
    vi.restoreAllMocks()
  }
  await files.put('abcd'.padEnd(32, '1'), Buffer.from('after'))
})

test('a storage that is missing refuses, and is not begun again in its place', async () => {
  const files = openDiskFiles({ dataDir })
  await files.put(newFileKey(), Buffer.from('x'))
  await rm(join(dataDir, 'files'), { recursive: true })
  await expect(files.put(newFileKey(), Buffer.from('x'))).rejects.toThrow(StorageDown)
  await writeFile(join(dataDir, 'files'), 'no folder')
  await expect(openDiskFiles({ dataDir }).put(newFileKey(), Buffer.from('x'))).rejects.toThrow(StorageDown)
  await expect(files.get(newFileKey())).rejects.toThrow(StorageDown)
})

test('the list names whole files by prefix, with size and time, and no unfinished ones', async () => {
  const files = openDiskFiles({ dataDir })
  const keys = ['ab01', 'ab02', 'ac01'].map((start) => start + 'f'.repeat(28))
  for (const key of keys) await files.put(key, Buffer.from('12345'))
  await writeFile(join(dataDir, 'files', 'ab', '01', `${keys[0]}.${newFileKey()}.part`), 'half')
  const listed = []
  for await (const file of files.list('')) listed.push(file)
  expect(listed.map(({ key, size }) => [key, size])).toEqual(keys.map((key) => [key, 5]))
  expect(listed[0]?.storedAt).toBeInstanceOf(Date)
  const some = []
  for await (const file of files.list('ab0')) some.push(file.key)
  expect(some).toEqual(keys.slice(0, 2))
  for await (const file of files.list('ab01e')) expect(file).toBeUndefined()
  for await (const file of openDiskFiles({ dataDir: join(dataDir, 'nowhere') }).list(''))
    expect(file).toBeUndefined()
})

test('the sweep clears what a killed writer left, not what is being written', async () => {
  const files = openDiskFiles({ dataDir })
  const key = newFileKey()
  await files.put(key, Buffer.from('x'))
  const folder = join(dataDir, 'files', key.slice(0, 2), key.slice(2, 4))
  await writeFile(join(folder, `${key}.old.part`), 'half')
  await writeFile(join(folder, `${key}.new.part`), 'half')
  await utimes(join(folder, `${key}.old.part`), new Date(0), new Date(0))
  await utimes(join(folder, key), new Date(0), new Date(0))
  await files.removeUnfinished(new Date('2020-01-01'))
  expect(await readdir(folder)).toEqual([key, `${key}.new.part`])
})

async function allNames() {
  return (await readdir(dataDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

// The bytes are really written first; only the disk's last word, on the file or on its folder, is made to
// fail.
async function failSync(kind: 'file' | 'folder', code: string) {
  const synced: string[] = []
  const handle = await open(import.meta.filename, 'r')
  await handle.close()
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: unknown) {
    // Called by the file system on an open file, which is what `this` is then.
    synced.push((await (this as FileHandle).stat()).isFile() ? 'file' : 'folder')
    if (synced.at(-1) === kind)
      throw Object.assign(new Error(`${code}: ${dataDir}`), { code, syscall: 'fsync' })
  })
  return synced
}
