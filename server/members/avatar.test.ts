import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { avatarBytesLimit } from '#contract/members.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { sweepOrphanFiles } from '#server/site/file-sweep.ts'
import { useFreshClub } from '#server/testing/club.ts'
import type { Browser } from '#server/testing/browser.ts'
import { useEdge } from '#server/testing/edge.ts'
import { readAvatarUpload, setAvatar, storeAvatar } from './avatar.ts'

const club = useFreshClub()
const edge = useEdge(club)

// The left half is red, the right half blue. It is twice as wide as high and has a name in its metadata.
const photograph = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c00000' } })
  .composite([
    {
      input: await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0000c0' } })
        .png()
        .toBuffer(),
      left: 300,
      top: 0,
    },
  ])
  .withExif({ IFD0: { Copyright: 'a private name' } })
  .jpeg()
  .toBuffer()

async function upload(browser: Browser, bytes: Uint8Array, name = 'me.jpg') {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], name))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  return browser.send('POST', '/api/settings/avatar', {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': type },
  })
}

async function show(key: unknown, size: number | string = 256) {
  const response = await fetch(`http://127.0.0.1:${edge.port}/avatars/${String(key)}-${size}.webp`)
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function newBrowser(username: string) {
  await club.newMember(username)
  return edge.signIn(username)
}

async function storedKeys() {
  const keys = []
  for await (const { key } of club.system.kit.files.list('')) keys.push(key)
  return keys
}

const avatarOf = async (browser: Browser) => (await browser.get('/api/me')).json?.avatar

describe('my picture', () => {
  test('is cropped to a square in two sizes, without the rest of the file', async () => {
    const browser = await newBrowser('square')
    const answer = await upload(browser, photograph, '../../evil.svg')
    expect(answer.status).toBe(201)
    const key = answer.json?.avatar
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(await avatarOf(browser)).toBe(key)
    for (const size of [64, 256]) {
      const { bytes, headers } = await show(key, size)
      const { format, width, height, exif } = await sharp(bytes).metadata()
      expect({ format, width, height, exif }).toEqual({
        format: 'webp',
        width: size,
        height: size,
        exif: undefined,
      })
      expect(bytes.includes('a private name')).toBe(false)
      expect(headers.get('content-type')).toBe('image/webp')
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
      const pixel = (at: number) => [...data.subarray(at * 3, at * 3 + 3)]
      expect(pixel(0)[0]).toBeGreaterThan(150)
      expect(pixel(size - 1)[2]).toBeGreaterThan(150)
    }
  })

  test('is upright, however the camera was held', async () => {
    const browser = await newBrowser('upright')
    const turned = await sharp(photograph).withMetadata({ orientation: 3 }).jpeg().toBuffer()
    const { bytes } = await show((await upload(browser, turned)).json?.avatar)
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect(data[2]).toBeGreaterThan(150)
  })

  test('is no longer served at its old address after a replacement', async () => {
    const browser = await newBrowser('replace')
    const first = (await upload(browser, photograph)).json?.avatar
    const second = (await upload(browser, photograph)).json?.avatar
    expect(second).not.toBe(first)
    expect((await show(first)).status).toBe(404)
    expect((await show(second)).status).toBe(200)
    expect(await storedKeys()).not.toContain(first)
  })

  test('can be removed, and removing it again changes nothing', async () => {
    const browser = await newBrowser('remove')
    const key = (await upload(browser, photograph)).json?.avatar
    for (let n = 0; n < 2; n += 1) {
      expect((await browser.send('DELETE', '/api/settings/avatar')).json).toEqual({ ok: true })
    }
    expect(await avatarOf(browser)).toBeNull()
    expect((await show(key)).status).toBe(404)
    expect(await storedKeys()).not.toContain(key)
  })

  test('leaves no file when its row was not written', async () => {
    const ctx = await club.newMember('undone')
    const before = await storedKeys()
    const pictures = [64, 256].map((width) => ({ bytes: Buffer.from('webp'), width, height: width }))
    const undone = inTransaction(ctx, async (ctx) => {
      await setAvatar(ctx, await storeAvatar(ctx, pictures))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await storedKeys()).toEqual(before)
  })

  test('survives the sweep of orphaned files', async () => {
    const browser = await newBrowser('swept')
    const key = (await upload(browser, photograph)).json?.avatar
    const orphan = 'f'.repeat(32)
    await club.system.kit.files.put(orphan, Buffer.from('no one’s'))
    // As if they had been stored days ago.
    const list = club.system.kit.files.list.bind(club.system.kit.files)
    const files = {
      ...club.system.kit.files,
      async *list(prefix: string) {
        for await (const file of list(prefix)) yield { ...file, storedAt: new Date(0) }
      },
    }
    await sweepOrphanFiles({ ...club.system, kit: { ...club.system.kit, files } })
    expect(await storedKeys()).not.toContain(orphan)
    expect((await show(key)).status).toBe(200)
  })

  test('is one of two simultaneous uploads, and the other leaves no file', async () => {
    const browser = await newBrowser('twice')
    const before = await storedKeys()
    const answers = await Promise.all([upload(browser, photograph), upload(browser, photograph)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const kept = (await storedKeys()).filter((key) => !before.includes(key))
    expect(kept).toEqual([await avatarOf(browser)])
  })
})

describe('an upload of a picture', () => {
  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'UNSUPPORTED_AVATAR'],
    ['a PDF', Buffer.from('%PDF-1.7\n%%EOF'), 415, 'UNSUPPORTED_AVATAR'],
    ['half a JPEG', photograph.subarray(0, 600), 400, 'UNREADABLE_AVATAR'],
  ])('that is %s is refused, whatever its file name', async (what, bytes, status, code) => {
    const browser = await newBrowser(`bad-${what.replaceAll(/\W/g, '').toLowerCase()}`)
    const answer = await upload(browser, bytes)
    expect(answer.status).toBe(status)
    expect(answer.json?.code).toBe(code)
    expect(await avatarOf(browser)).toBeNull()
  })

  test('of 2 MB is too large; one byte less is accepted', async () => {
    const browser = await newBrowser('large')
    const padded = (length: number) => Buffer.concat([photograph, Buffer.alloc(length - photograph.length)])
    expect((await upload(browser, padded(avatarBytesLimit))).status).toBe(413)
    expect((await upload(browser, padded(avatarBytesLimit - 1))).status).toBe(201)
    await expect(readAvatarUpload(padded(avatarBytesLimit))).rejects.toMatchObject({
      code: 'AVATAR_TOO_LARGE',
    })
  })

  test('is limited to ten an hour', async () => {
    const browser = await newBrowser('often')
    const statuses = []
    for (let n = 0; n < 11; n += 1) statuses.push((await upload(browser, Buffer.from('x'))).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 415), 429])
  })

  test('is only for members', async () => {
    expect((await upload(edge.visitor(), photograph)).status).toBe(401)
    expect((await edge.visitor().send('DELETE', '/api/settings/avatar')).status).toBe(401)
  })
})

describe('the address of a picture', () => {
  test('serves only pictures of members, in an existing size', async () => {
    const browser = await newBrowser('address')
    const key = (await upload(browser, photograph)).json?.avatar
    const proof = 'e'.repeat(32)
    await club.system.kit.files.put(proof, Buffer.from('a receipt'))
    const wrong: [string, number | string][] = [
      [String(key), 128],
      [String(key), '0256'],
      [String(key).toUpperCase(), 256],
      ['0'.repeat(32), 256],
      [proof, 256],
      ['x', 64],
    ]
    for (const [name, size] of wrong) expect((await show(name, size)).status, `${name} ${size}`).toBe(404)
  })
})
