import { brotliCompressSync, gzipSync } from 'node:zlib'
import { etagOf } from '#server/kit/http/static.ts'
import type { StaticFiles } from '#server/kit/http/static.ts'

/** The build with every screen marked as one of a demo club, also where no one is signed in. */
export function withDemoMark(build: StaticFiles): StaticFiles {
  const shell = build.get('/index.html')
  if (!shell) return build
  const bytes = Buffer.from(shell.bytes.toString('utf8').replace('<html ', '<html data-demo '))
  const marked = { ...shell, bytes, br: brotliCompressSync(bytes), gz: gzipSync(bytes), etag: etagOf(bytes) }
  return new Map(build).set('/index.html', marked)
}
