// Answers that are files and no calls of the contract, such as proofs and CSV. Like every call, each has a
// row in the table of rights (contract/rights.ts), and its gate comes first.
import { fileRights } from '#contract/rights.ts'
import type { FilePath } from '#contract/rights.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { gates } from './gates.ts'
import { notFound } from './http.ts'
import type { HttpApp, HttpContext } from './http.ts'

type FileHandler = (ctx: MemberCtx, c: HttpContext) => Promise<Response>

/**
 * Mounts a file of the table of rights under /api. The handler runs for those whom its gate lets pass; a row
 * that says `fresh` is checked by the handler.
 */
export function mountFile(app: HttpApp, path: FilePath, method: 'GET' | 'POST', handle: FileHandler): void {
  const gate = gates[fileRights[path].gate]
  app.on(method, `/api${path}`, async (c) => {
    // The router answers HEAD with the handler of GET, which would do the work for nothing.
    if (c.req.method !== method) return notFound(c)
    return handle(memberOf(gate.allow(c.get('ctx'))), c)
  })
}

type FileHeaders = { type: string; name: string; length?: number }

/** The headers of a file that the browser saves and never runs. */
export function fileHeaders({ type, name, length }: FileHeaders): Record<string, string> {
  return {
    'content-type': type,
    ...(length === undefined ? {} : { 'content-length': String(length) }),
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  }
}
