// A product's picture is encoded again from the uploaded pixels, in three widths. They are stored as one
// file, so a picture is never incomplete. A new picture has a new id, so an address never changes its
// content. Nothing is fetched remotely.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { imageBytesLimit } from '#contract/products.ts'
import type { ImageFocus } from '#contract/products.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { keepFile, storeFile } from '#server/kit/uploads/stored-file.ts'
import { notFound } from '#server/kit/http/http.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { makePicture, productImage } from '#server/kit/uploads/images.ts'
import type { SizedPicture } from '#server/kit/uploads/images.ts'
import { refuse } from '#server/kit/refusal.ts'
import { requireMyProduct } from './my-products.ts'

/**
 * The widths a picture is offered in. A small original is not enlarged: its wider versions are as wide as it
 * is.
 */
export const imageWidths = [320, 640, 1280]

/**
 * Makes the three versions of an uploaded JPEG or PNG. Refuses UNSUPPORTED_IMAGE, IMAGE_TOO_LARGE and
 * UNREADABLE_IMAGE.
 */
export async function readPicture(bytes: Uint8Array): Promise<SizedPicture[]> {
  if (bytes.length > imageBytesLimit) throw refuse('IMAGE_TOO_LARGE', { field: 'file' })
  return makePicture(() => productImage(bytes), {
    unsupported: 'UNSUPPORTED_IMAGE',
    unreadable: 'UNREADABLE_IMAGE',
  })
}

/** A picture that is stored, and that no row names yet. Sizes are those of the largest version. */
type StoredPicture = { fileKey: string; width: number; height: number; bytes: number }

/** Stores the three versions of a picture. */
export async function storePicture(ctx: MemberCtx, pictures: SizedPicture[]): Promise<StoredPicture> {
  const largest = pictures.at(-1)
  if (pictures.length !== imageWidths.length || !largest) throw new Error('A picture has three versions.')
  const file = pack(pictures)
  const fileKey = await storeFile(ctx, file)
  return { fileKey, width: largest.width, height: largest.height, bytes: file.length }
}

/**
 * Sets the picture of my product to one of `storePicture`, and returns the product's id. The previous picture
 * is removed later.
 */
export function setProductImage(
  ctx: MemberCtx,
  { id, picture }: { id: string; picture: StoredPicture },
): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    keepFile(ctx, picture.fileKey)
    await requireMyProduct(ctx, id)
    // Other members see it in offers: unlike other ids, it does not say when the picture was uploaded.
    const imageId = randomUUID()
    await ctx.db
      .insertInto('images')
      .values({ id: imageId, ownerId: ctx.who.id, widths: imageWidths, ...picture })
      .execute()
    await ctx.db
      .updateTable('products')
      .set({ imageId, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
    await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
    return id
  })
}

/**
 * Chooses the point of my product's picture that stays visible when it is cropped, and returns the product's
 * id. Refuses NOT_FOUND, and NO_PICTURE for a product without one.
 */
export function setImageFocus(ctx: MemberCtx, { id, x, y }: { id: string } & ImageFocus): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    await requireMyProduct(ctx, id)
    const chosen = await ctx.db
      .updateTable('images')
      .set({ focusX: x, focusY: y })
      .where('id', '=', (of) => of.selectFrom('products').select('imageId').where('id', '=', id))
      .executeTakeFirst()
    if (chosen.numUpdatedRows === 0n) throw refuse('NO_PICTURE')
    await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
    return id
  })
}

/** One version of a picture as WebP; null when there is no such picture or no such width. */
export async function readImage(ctx: Ctx, imageId: string, width: number): Promise<Buffer | null> {
  const image = await ctx.db
    .selectFrom('images')
    .select(['fileKey', 'widths'])
    .where('id', '=', imageId)
    .executeTakeFirst()
  const place = image?.widths.indexOf(width) ?? -1
  if (!image || place < 0) return null
  const file = await ctx.kit.files.get(image.fileKey)
  if (!file) ctx.log.error({ code: 'missing-file', imageId }, 'an image has a row and no file')
  return file ? unpack(file, place) : null
}

const imagePath = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-([1-9]\d{2,3})\.webp$/

/** `GET /images/<id>-<width>.webp`: public, and cached forever. */
export function mountImages(app: HttpApp) {
  app.get('/images/:file', async (c) => {
    const [, id = '', width] = imagePath.exec(c.req.param('file')) ?? []
    const bytes = id && (await readImage(c.get('ctx'), id, Number(width)))
    if (!bytes) return notFound(c)
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}

/**
 * Removes pictures that no product and no open or accepted offer shows: first the row, then the file.
 * Pictures younger than a day stay.
 */
export async function removeUnusedImages(ctx: Ctx): Promise<void> {
  while (await removeSomeImages(ctx)) continue
}

const imagesPerBatch = 100

/** Returns whether more may be left. */
async function removeSomeImages(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ fileKey: string }>`
    delete from images where id = any(array(
      select i.id from images i
      where i.created_at < clock_timestamp() - interval '1 day'
        and not exists (select from products p where p.image_id = i.id)
        and not exists (select from offers o where o.snapshot ->> 'image_id' = i.id::text
          and o.state in ('open', 'accepted'))
      limit ${imagesPerBatch}))
    returning file_key`.execute(ctx.db)
  for (const { fileKey } of rows) await ctx.kit.files.remove(fileKey)
  return rows.length === imagesPerBatch
}

// The file: the length of each version in four bytes, then the versions.
function pack(pictures: SizedPicture[]) {
  const lengths = Buffer.alloc(4 * pictures.length)
  for (const [place, { bytes }] of pictures.entries()) lengths.writeUInt32BE(bytes.length, 4 * place)
  return Buffer.concat([lengths, ...pictures.map(({ bytes }) => bytes)])
}

function unpack(file: Buffer, place: number) {
  let start = 4 * imageWidths.length
  for (let before = 0; before < place; before += 1) start += file.readUInt32BE(4 * before)
  return file.subarray(start, start + file.readUInt32BE(4 * place))
}
