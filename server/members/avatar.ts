// A member's picture: a square in two sizes, re-encoded from the pixels of the upload. One file holds both
// sizes. A new picture gets a new key, so an address never changes its picture. A sweep deletes orphaned
// files.
import { sql } from 'kysely'
import { avatarBytesLimit } from '#contract/members.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { keepFile, storeFile } from '#server/kit/uploads/stored-file.ts'
import { notFound } from '#server/kit/http/http.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { avatarImage, makePicture } from '#server/kit/uploads/images.ts'
import type { SizedPicture } from '#server/kit/uploads/images.ts'
import { refuse } from '#server/kit/refusal.ts'

/** The widths of a picture, in pixels. Pictures are square. */
const avatarWidths = [64, 256]

/**
 * Makes both sizes of an uploaded JPEG or PNG. Refuses UNSUPPORTED_AVATAR, AVATAR_TOO_LARGE and
 * UNREADABLE_AVATAR.
 */
export async function readAvatarUpload(bytes: Uint8Array): Promise<SizedPicture[]> {
  if (bytes.length >= avatarBytesLimit) throw refuse('AVATAR_TOO_LARGE', { field: 'file' })
  return makePicture(() => avatarImage(bytes), {
    unsupported: 'UNSUPPORTED_AVATAR',
    unreadable: 'UNREADABLE_AVATAR',
  })
}

/** Stores both sizes of a picture, and returns its key. */
export function storeAvatar(ctx: MemberCtx, pictures: SizedPicture[]): Promise<string> {
  return storeFile(ctx, pack(pictures))
}

/** Replaces my picture by one of `storeAvatar`, and returns its key. */
export function setAvatar(ctx: MemberCtx, key: string): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    keepFile(ctx, key)
    await replaceAvatar(ctx, { memberId: ctx.who.id, key })
    return key
  })
}

/** Removes my picture, the row first, then the file. Without a picture it changes nothing. */
export function removeAvatar(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, (ctx) => replaceAvatar(ctx, { memberId: ctx.who.id, key: null }))
}

async function replaceAvatar(ctx: Ctx, { memberId, key }: { memberId: string; key: string | null }) {
  const before = await ctx.db
    .selectFrom('members')
    .select('avatarKey')
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const old = before.avatarKey
  if (old === key) return
  await ctx.db
    .updateTable('members')
    .set({ avatarKey: key, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
  removeAfterCommit(ctx, [old])
  await emit(ctx, 'member.changed', { memberId }, [memberId])
}

/** One size of a picture as WebP. Null when no member has this picture, or for an unknown width. */
export async function readAvatar(ctx: Ctx, key: string, width: number): Promise<Buffer | null> {
  const place = avatarWidths.indexOf(width)
  if (place < 0) return null
  const owner = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('avatarKey', '=', key)
    .executeTakeFirst()
  if (!owner) return null
  const file = await ctx.kit.files.get(key)
  if (!file) ctx.log.error({ code: 'missing-file', memberId: owner.id }, 'a picture has a row and no file')
  return file ? unpack(file, place) : null
}

const avatarPath = /^([0-9a-f]{32})-(64|256)\.webp$/

/** `GET /avatars/<key>-<width>.webp`: public, and never changes. */
export function mountAvatars(app: HttpApp) {
  app.get('/avatars/:file', async (c) => {
    const [, key = '', width] = avatarPath.exec(c.req.param('file')) ?? []
    const bytes = key && (await readAvatar(c.get('ctx'), key, Number(width)))
    if (!bytes) return notFound(c)
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}

// The file holds the length of the small picture in four bytes, the small picture, the large picture.
function pack([small, large, ...more]: SizedPicture[]) {
  if (!small || !large || more.length > 0) throw new Error('A picture has two sizes.')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(small.bytes.length)
  return Buffer.concat([length, small.bytes, large.bytes])
}

function unpack(file: Buffer, place: number) {
  const between = 4 + file.readUInt32BE(0)
  return place === 0 ? file.subarray(4, between) : file.subarray(between)
}
