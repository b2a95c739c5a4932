import { call } from '@orpc/server'
import { Hono } from 'hono'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { imageBytesLimit } from '#contract/products.ts'
import type { CallContext } from '#server/kit/http/api.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import type { Refusal } from '#server/kit/refusal.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import {
  imageWidths,
  mountImages,
  readImage,
  readPicture,
  removeUnusedImages,
  setProductImage,
  storePicture,
} from './images.ts'
import { productProcedures } from './procedures.ts'

const procedures = productProcedures(async () => new Map())
const photograph = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#0b6a61' } })
  .withExif({ IFD0: { Copyright: 'the owner' } })
  .jpeg()
  .toBuffer()

function callAs(ctx: MemberCtx): { context: CallContext } {
  const answer = { headers: new Headers() }
  return {
    context: {
      ctx,
      requestId: newId(),
      headers: new Headers(),
      idempotencyKey: undefined,
      requestHash: Buffer.alloc(32),
      answer,
    },
  }
}

const fileOf = (bytes: Uint8Array) =>
  new File([new Uint8Array(bytes)], '../../evil.svg', { type: 'image/svg+xml' })

describe('the picture of a product', () => {
  const club = useClub()

  const productOf = async (username: string) => {
    const { rows } = await sql<{ id: string }>`
      select p.id from products p join members m on m.id = p.seller_id
        where m.username = ${username}`.execute(club.system.db)
    return rows[0]?.id ?? ''
  }

  const app = () => {
    const pages: HttpApp = new Hono()
    pages.use(async (c, next) => {
      c.set('ctx', club.system)
      await next()
    })
    mountImages(pages)
    return pages
  }

  test('is encoded again in three widths and cached forever', async () => {
    const anna = await club.as('anna')
    const input = { id: await productOf('anna'), file: fileOf(photograph) }
    const card = await call(procedures.uploadProductImage, input, callAs(anna))
    // A UUID of version 4 does not hold its moment.
    expect(card.imageId).toMatch(/^.{14}4/)
    const widths = []
    for (const width of imageWidths) {
      const answer = await app().request(`/images/${card.imageId}-${width}.webp`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/webp')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const bytes = Buffer.from(await answer.arrayBuffer())
      const read = await sharp(bytes).metadata()
      expect([read.format, read.exif]).toEqual(['webp', undefined])
      expect(bytes.includes('the owner')).toBe(false)
      widths.push(read.width)
    }
    expect(widths).toEqual([320, 640, 900])
    const row = await club.system.db.selectFrom('images').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ ownerId: anna.who.id, width: 900, height: 600, widths: imageWidths })
  })

  test('has no other address', async () => {
    const anna = await club.as('anna')
    const id = await productOf('anna')
    await setProductImage(anna, { id, picture: await storePicture(anna, await readPicture(photograph)) })
    const { id: imageId, fileKey } = await club.system.db
      .selectFrom('images')
      .selectAll()
      .executeTakeFirstOrThrow()
    for (const path of [
      `${imageId}-321.webp`,
      `${imageId}-0320.webp`,
      `${imageId}.webp`,
      `${imageId}-320.png`,
      `${newId()}-320.webp`,
      `${fileKey}-320.webp`,
      `${fileKey}`,
    ]) {
      expect([path, (await app().request(`/images/${path}`)).status]).toEqual([path, 404])
    }
  })

  test('is refused when it is no JPEG or PNG, too large, or broken', async () => {
    const code = (bytes: Uint8Array) =>
      readPicture(bytes).then(
        () => 'read',
        (error: Refusal) => [error.status, error.code],
      )
    const webp = await sharp(photograph).webp().toBuffer()
    expect(await code(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([
      415,
      'UNSUPPORTED_IMAGE',
    ])
    expect(await code(webp)).toEqual([415, 'UNSUPPORTED_IMAGE'])
    expect(await code(Buffer.alloc(0))).toEqual([415, 'UNSUPPORTED_IMAGE'])
    expect(await code(Buffer.alloc(imageBytesLimit + 1))).toEqual([413, 'IMAGE_TOO_LARGE'])
    expect(await code(photograph.subarray(0, 700))).toEqual([400, 'UNREADABLE_IMAGE'])
    const wide = await sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(await code(wide)).toEqual([400, 'UNREADABLE_IMAGE'])
  })

  test('of another member’s product cannot be set, and no file is kept', async () => {
    const ben = await club.as('ben')
    const id = await productOf('anna')
    const before = await filesKept(club.system)
    const upload = call(procedures.uploadProductImage, { id, file: fileOf(photograph) }, callAs(ben))
    await expect(upload).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(await filesKept(club.system)).toEqual(before)
    const set = setProductImage(ben, { id, picture: await storePicture(ben, await readPicture(photograph)) })
    await expect(set).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await club.system.db.selectFrom('images').select('id').execute()).toEqual([])
  })

  test('that no product uses is removed after a day, and the others stay', async () => {
    const anna = await club.as('anna')
    const id = await productOf('anna')
    const pictures = await readPicture(photograph)
    const others = new Set(await filesKept(club.system))
    const mine = async () => (await filesKept(club.system)).filter((key) => !others.has(key))
    const set = async () => setProductImage(anna, { id, picture: await storePicture(anna, pictures) })
    for (const _ of [1, 2, 3]) await set()
    await removeUnusedImages(club.system)
    expect(await mine()).toHaveLength(3)
    await sql`update images set created_at = created_at - interval '25 hours'`.execute(club.system.db)
    await set()
    await removeUnusedImages(club.system)
    const rows = await club.system.db.selectFrom('images').select(['id', 'fileKey']).execute()
    expect(await mine()).toEqual(rows.map(({ fileKey }) => fileKey))
    expect(rows).toHaveLength(1)
    expect(await readImage(club.system, rows[0]?.id ?? '', 640)).not.toBeNull()
  })

  test('is removed however many there are, and younger ones stay', async () => {
    const anna = await club.as('anna')
    await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes, created_at)
      select gen_random_uuid(), ${anna.who.id}, md5(n::text), '{320}', 320, 320, 1,
        clock_timestamp() - case when n <= 201 then interval '25 hours' else interval '23 hours' end
      from generate_series(1, 203) n`.execute(club.system.db)
    await removeUnusedImages(club.system)
    expect(await club.system.db.selectFrom('images').select('id').execute()).toHaveLength(2)
  })
})

describe('a picture whose product was not saved', () => {
  const club = useFreshClub({ max: 3 })

  test('leaves no file', async () => {
    const anna = await club.as('anna')
    const { id } = await club.system.db
      .selectFrom('products')
      .select('id')
      .where('sellerId', '=', anna.who.id)
      .executeTakeFirstOrThrow()
    const pictures = await readPicture(photograph)
    await expect(
      inTransaction(anna, async (inside) => {
        await setProductImage(inside, { id, picture: await storePicture(inside, pictures) })
        expect(await filesKept(anna)).toHaveLength(1)
        throw new Error('the database refuses')
      }),
    ).rejects.toThrow('refuses')
    expect(await filesKept(anna)).toEqual([])
  })
})

async function filesKept({ kit }: Pick<MemberCtx, 'kit'>) {
  const keys = []
  for await (const { key } of kit.files.list('')) keys.push(key)
  return keys
}
