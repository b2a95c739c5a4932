// The built screens, from memory: hashed files for ever, the shell for every screen, a 404 for anything else.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpApp, HttpContext } from './http.ts'

/** Something to be sent as it is, or in one of its compressed forms. */
export type SentFile = { bytes: Buffer; br?: Buffer; gz?: Buffer; type: string; etag?: string }
export type StaticFiles = Map<string, SentFile>

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Reads the build with its compressed twins. Files of no known type, source maps and the build's own records
 * stay unserved.
 */
export async function readBuild(folder: string): Promise<StaticFiles> {
  const files: StaticFiles = new Map()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const type = types[extname(entry.name)]
    const name = `/${relative(folder, path).replaceAll('\\', '/')}`
    if (!entry.isFile() || !type || name.startsWith('/.')) continue
    const [bytes, br, gz] = await Promise.all([
      readFile(path),
      readIfThere(`${path}.br`),
      readIfThere(`${path}.gz`),
    ])
    files.set(name, { bytes, type, etag: etagOf(bytes), ...(br ? { br } : {}), ...(gz ? { gz } : {}) })
  }
  return files
}

/** A tag of what a file holds, the same for all of its compressed forms. */
export function etagOf(bytes: Buffer) {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** A text with its compressed forms. `quality` is from 1 (quick) to 9 (small). */
export async function compressed(text: string, type: string, quality: number): Promise<SentFile> {
  const bytes = Buffer.from(text)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: quality }),
  ])
  return { bytes, br, gz, etag: etagOf(bytes), type }
}

function readIfThere(path: string) {
  return readFile(path).catch(() => undefined)
}

/**
 * Serves the build. `screenRoots` are the first parts of the addresses that are screens; `missing` answers
 * for the others, or the shell does.
 */
export function mountStatic(
  app: HttpApp,
  files: StaticFiles,
  screenRoots: readonly string[],
  missing?: (c: HttpContext) => Promise<Response>,
) {
  const roots: ReadonlySet<string> = new Set(screenRoots)
  app.get('*', (c, next) => {
    const file = c.req.path === '/index.html' ? undefined : files.get(c.req.path)
    if (file) {
      const hashed = c.req.path.startsWith('/assets/')
      return sendFile(c, file, { caching: hashed ? 'public, max-age=31536000, immutable' : 'no-cache' })
    }
    const shell = files.get('/index.html')
    const isPage = !/\.[a-z0-9]+$/i.test(c.req.path)
    if (!shell || !isPage || c.req.path.startsWith('/api')) return next()
    if (roots.has(c.req.path.split('/')[1] ?? '')) return sendFile(c, shell, { caching: 'no-cache' })
    return missing ? missing(c) : sendFile(c, shell, { caching: 'no-cache', status: 404 })
  })
}

type Sending = { caching: string; vary?: string; status?: number }

/** Sends a file in the smallest form that is accepted, or says that the one from before still holds. */
export function sendFile(
  c: HttpContext,
  file: SentFile,
  { caching, vary = 'Accept-Encoding', status = 200 }: Sending,
) {
  const headers = new Headers({ 'content-type': file.type, 'cache-control': caching, vary })
  if (file.etag && status === 200) {
    headers.set('etag', file.etag)
    if (c.req.header('if-none-match')?.includes(file.etag))
      return new Response(null, { status: 304, headers })
  }
  const accepted = c.req.header('accept-encoding') ?? ''
  const [encoding, body] =
    file.br && /\bbr\b/.test(accepted)
      ? ['br', file.br]
      : file.gz && /\bgzip\b/.test(accepted)
        ? ['gzip', file.gz]
        : [undefined, file.bytes]
  if (encoding) headers.set('content-encoding', encoding)
  return new Response(new Uint8Array(body), { status, headers })
}
