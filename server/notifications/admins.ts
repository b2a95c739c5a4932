// What an admin has to act on.
import type { Ctx } from '#server/kit/ctx.ts'
import { notifyAll } from './notices.ts'

type AdminNotice = { key: string; title: string; message: string; action: { label: string; href: string } }

/** Notifies every admin, each once per key. */
export async function notifyAdmins(ctx: Ctx, { key, ...shown }: AdminNotice): Promise<void> {
  const admins = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('role', '=', 'admin')
    .where('erasedAt', 'is', null)
    .execute()
  await notifyAll(
    ctx,
    admins.map(({ id }) => ({ memberId: id, key, kind: null, notice: { ...shown, priority: 'high' } })),
  )
}
