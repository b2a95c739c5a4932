// The API's OpenAPI document, and a page of it for people. Plain HTML without scripts or external files.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { OpenAPI } from '@orpc/contract'
import type { HttpApp } from '#server/kit/http/http.ts'
import { etagOf, sendFile } from '#server/kit/http/static.ts'
import type { SentFile } from '#server/kit/http/static.ts'

type DocsParts = {
  makeDocument: () => Promise<OpenAPI.Document>
  /** Whether the page for people is served as well. */
  withPage: boolean
  /** Whether the page carries the mark of a demo. */
  demo: boolean
}

/**
 * Serves `/api/openapi.json` and `/api/docs`. Both are made once, when they are first asked for, and kept.
 */
export function mountApiDocs(app: HttpApp, { makeDocument, withPage, demo }: DocsParts) {
  const document = once(makeDocument)
  const json = once(async () => fileOf(JSON.stringify(await document()), 'application/json'))
  app.get('/api/openapi.json', async (c) => sendFile(c, await json(), { caching: 'no-cache' }))
  if (!withPage) return
  const docs = once(async () => fileOf(page(await document(), demo), 'text/html; charset=utf-8'))
  app.get('/api/docs', async (c) => sendFile(c, await docs(), { caching: 'no-cache' }))
  app.get('/api/docs.css', (c) => c.text(sheet, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

function once<Made>(make: () => Promise<Made>) {
  let made: Promise<Made> | undefined
  return () => (made ??= make())
}

async function fileOf(text: string, type: string): Promise<SentFile> {
  const bytes = Buffer.from(text)
  return { bytes, gz: await promisify(gzip)(bytes), etag: etagOf(bytes), type }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

function page(document: OpenAPI.Document, demo: boolean) {
  const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => (item?.[method] ? [describeCall(method, path, item[method])] : [])),
  )
  const mark = demo ? '<p><strong>Demo club</strong></p>' : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Evenhand API</title><link rel="stylesheet" href="/api/docs.css"></head>
<body><main>${mark}<h1>Evenhand API</h1>
<p>${escape(document.info.description ?? '')} The whole document, with every shape:
<a href="/api/openapi.json">openapi.json</a>.</p>
${calls.join('\n')}</main></body></html>`
}

function describeCall(method: string, path: string, operation: OpenAPI.OperationObject) {
  const statuses = Object.keys(operation.responses ?? {}).join(', ')
  const body =
    operation.requestBody && 'content' in operation.requestBody
      ? Object.values(operation.requestBody.content)[0]?.schema
      : undefined
  const shape = body
    ? `<details><summary>Body</summary>
<pre tabindex="0">${escape(JSON.stringify(body, null, 2))}</pre></details>`
    : ''
  return `<section><h2><b>${method.toUpperCase()}</b> /api${escape(path)}</h2>
<p>${escape(operation.summary ?? '')}</p>
<p class="answers">Answers: ${escape(statuses)}</p>${shape}</section>`
}

function escape(text: string) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const sheet = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; }
h2 { font-size: 1rem; font-family: ui-monospace, monospace; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
h2 b { display: inline-block; min-width: 4rem; }
p { margin: .25rem 0; }
.answers { font-size: .875rem; opacity: .8; }
pre { overflow: auto; font-size: .8125rem; border: 1px solid; border-radius: .5rem; padding: .75rem; }
`
