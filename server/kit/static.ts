// The built screens, from memory: hashed files for ever, the shell for every screen, a 404 for anything else.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { HttpApp, HttpContext } from './http.ts'

type BuiltFile = { bytes: Buffer; br?: Buffer; gz?: Buffer; type: string }
export type StaticFiles = Map<string, BuiltFile>

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

/** Reads the build with its compressed twins. Files of no known type, source maps and the build's own records stay unserved. */
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
    files.set(name, { bytes, type, ...(br ? { br } : {}), ...(gz ? { gz } : {}) })
  }
  return files
}

function readIfThere(path: string) {
  return readFile(path).catch(() => undefined)
}

/** Serves the build. `screenRoots` are the first parts of the addresses that are screens. */
export function mountStatic(app: HttpApp, files: StaticFiles, screenRoots: readonly string[]) {
  const roots: ReadonlySet<string> = new Set(screenRoots)
  app.get('*', (c, next) => {
    const file = c.req.path === '/index.html' ? undefined : files.get(c.req.path)
    if (file) return send(c, file, c.req.path.startsWith('/assets/'))
    const shell = files.get('/index.html')
    const isPage = !/\.[a-z0-9]+$/i.test(c.req.path)
    if (!shell || !isPage || c.req.path.startsWith('/api')) return next()
    const isScreen = roots.has(c.req.path.split('/')[1] ?? '')
    return send(c, shell, false, isScreen ? 200 : 404)
  })
}

function send(c: HttpContext, file: BuiltFile, hashed: boolean, status: 200 | 404 = 200) {
  const accepted = c.req.header('accept-encoding') ?? ''
  const [encoding, body] =
    file.br && /\bbr\b/.test(accepted)
      ? ['br', file.br]
      : file.gz && /\bgzip\b/.test(accepted)
        ? ['gzip', file.gz]
        : [undefined, file.bytes]
  const headers = new Headers({ 'content-type': file.type, vary: 'Accept-Encoding' })
  headers.set('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (encoding) headers.set('content-encoding', encoding)
  return new Response(new Uint8Array(body), { status, headers })
}
