// The scripts that check draws and the ledger without the club, as downloads.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileHeaders } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { etagOf } from '#server/kit/http/static.ts'

const scripts = ['verify-draw.mjs', 'verify-ledger.mjs']

/** Mounts /fairness/verify-draw.mjs and /fairness/verify-ledger.mjs: the files of the repository. */
export function mountCheckScripts(app: HttpApp): void {
  for (const name of scripts) {
    const bytes = readFileSync(join(process.cwd(), 'scripts', name))
    const etag = etagOf(bytes)
    const headers = {
      ...fileHeaders({ type: 'text/javascript; charset=utf-8', name }),
      'cache-control': 'public, no-cache',
      etag,
    }
    app.get(`/fairness/${name}`, (c) =>
      c.req.header('if-none-match') === etag
        ? c.body(null, 304, { etag })
        : new Response(new Uint8Array(bytes), { headers }),
    )
  }
}
