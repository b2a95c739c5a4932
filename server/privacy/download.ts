import { exportToken } from '#contract/privacy.ts'
import { memberOf } from '#server/kit/ctx.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readJsonBody } from '#server/kit/http/request-body.ts'
import { downloadExport } from './export.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Mounts POST /api/account/export/:id/download. Sends the archive to its owner, with the secret of the mail,
 * as a download that can't run scripts.
 */
export function mountExports(app: HttpApp) {
  app.post('/api/account/export/:id/download', async (c) => {
    const ctx = c.get('ctx')
    if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
    const { request } = await readJsonBody(c.req.raw)
    const asked = exportToken.safeParse(await request.json().catch(() => null))
    const exportId = c.req.param('id')
    if (!asked.success || !uuid.test(exportId)) throw refuse('EXPORT_GONE')
    const { body, size, name } = await downloadExport(memberOf(ctx), { exportId, token: asked.data.token })
    return new Response(body, {
      headers: {
        'content-type': 'application/zip',
        'content-length': String(size),
        'content-disposition': `attachment; filename="${name}"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
  })
}
