import { exportToken } from '#contract/privacy.ts'
import { isId } from '#server/kit/ctx.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readJsonBody } from '#server/kit/http/request-body.ts'
import { downloadExport } from './export.ts'

/**
 * Mounts POST /api/account/export/:id/download. Sends the archive to its owner, with the secret of the mail,
 * as a download that can't run scripts.
 */
export function mountExports(app: HttpApp) {
  mountFile(app, '/account/export/:id/download', 'POST', async (ctx, c) => {
    const { request } = await readJsonBody(c.req.raw)
    const asked = exportToken.safeParse(await request.json().catch(() => null))
    const exportId = c.req.param('id') ?? ''
    if (!asked.success || !isId(exportId)) throw refuse('EXPORT_GONE')
    const { body, size, name } = await downloadExport(ctx, { exportId, token: asked.data.token })
    return new Response(body, {
      headers: fileHeaders({ type: 'application/zip', name, length: size }),
    })
  })
}
