import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findCycles, readSources, resolveImport } from './sources.ts'

// Bottom to top, on the server and in the web. A module imports itself and those before it.
const modules = [
  'members',
  'accounts',
  'sign-in',
  'notifications',
  'membership',
  'products',
  'organization',
  'matching',
  'reviews',
  'support',
  'moderation',
  'analytics',
  'privacy',
  'search',
  'site',
]
const order: Record<Side, string[]> = {
  server: ['kit', ...modules, 'admin'],
  web: [
    'kit',
    'content.d.ts',
    'paths.ts',
    'client-with-progress.ts',
    'api.ts',
    ...modules,
    'settings',
    'articles',
    'marketing',
    'shell',
    'admin',
  ],
}
type Side = 'server' | 'web'

// Above the modules, allowed to import all of them: composition, the demo, the tests' harness.
const above: Record<Side, Set<string>> = {
  server: new Set(['app.ts', 'main.ts', 'worker.ts', 'reactions.ts', 'demo', 'dev', 'testing']),
  web: new Set(['routes.tsx', 'app.tsx', 'main.tsx']),
}

/** The most files at the top of a module, not counting tests. Past that, look for a second noun. */
const topFilesLimit = 25

/** Packages with one owner: other files go through it. */
const owners: Record<string, RegExp> = {
  'age-encryption': /^server\/kit\/backup\/archive\.ts$/,
  'modern-tar': /^server\/kit\/backup\/archive\.ts$/,
  'pg-copy-streams': /^server\/kit\/backup\/(dump|load)\.ts$/,
  fflate: /^server\/kit\/zip\.ts$/,
  'better-auth': /^server\/sign-in\/better-auth\.ts$/,
  '@better-auth/passkey': /^server\/sign-in\/better-auth\.ts$/,
  bowser: /^server\/accounts\/device-names\.ts$/,
  '@node-rs/argon2': /^server\/accounts\/passwords\/hash-threads?\.ts$/,
  nodemailer: /^server\/kit\/mail\/mail\.ts$/,
  'pg-boss': /^(server\/kit\/jobs\.ts|db\/migrate\.ts)$/,
  'web-push': /^server\/kit\/web-push\.ts$/,
  aws4fetch: /^server\/kit\/uploads\/bucket\.ts$/,
  pino: /^server\/kit\/log\.ts$/,
  '@opentelemetry/api': /^server\/kit\/observe\/spans\.ts$/,
  '@opentelemetry/exporter-trace-otlp-http': /^server\/kit\/observe\/spans\.ts$/,
  '@opentelemetry/resources': /^server\/kit\/observe\/spans\.ts$/,
  '@opentelemetry/sdk-trace-base': /^server\/kit\/observe\/spans\.ts$/,
  'prom-client': /^server\/kit\/observe\/metrics\.ts$/,
  sharp: /^(server\/kit\/uploads\/(image-worker|perceptual-hash)|(db\/seed|scripts)\/pictures)\.ts$/,
  '@hyzyla/pdfium': /^server\/kit\/uploads\/pdf\.ts$/,
  // Only a gate makes a procedure (kit/http/gates.ts), so modules do not import the library.
  '@orpc/server': /^server\/(kit\/http\/(api|call-handler|http|edge-errors)|sign-in\/auth-requests)\.ts$/,
  '@orpc/openapi': /^server\/(app|kit\/http\/call-handler)\.ts$/,
  '@hono/node-server': /^server\/(main|kit\/http\/http)\.ts$/,
  'react-dropzone': /^web\/kit\//,
  '@visx/scale': /^web\/kit\/ui\/chart\.tsx$/,
  '@visx/shape': /^web\/kit\/ui\/chart\.tsx$/,
  '@base-ui/react': /^web\//,
}

const server = readSources(['server'])
const web = readSources(['web'])
const everything = readSources(['server', 'web', 'contract', 'db', 'scripts', 'bench', 'drills'])

describe('server and web', () => {
  test('never import each other: they share only the contract', () => {
    const breaches = everything.flatMap(({ path, imports }) => {
      const side = path.split('/')[0]
      return imports
        .map((to) => resolveImport(path, to))
        .filter(
          (to) =>
            (side === 'web' && /^(server|db)\//.test(to)) || (side === 'server' && to.startsWith('web/')),
        )
        .map((to) => `${path} → ${to}`)
    })
    expect(breaches, 'move what both need into contract/').toEqual([])
  })

  test('share a contract that imports only itself and libraries without I/O', () => {
    const parsers = ['mdast', 'mdast-util-from-markdown']
    const libraries = ['zod', '@orpc/contract', ...parsers, '@noble/curves', '@noble/hashes']
    const breaches = readSources(['contract']).flatMap(({ path, imports }) =>
      imports
        .map((to) => resolveImport(path, to))
        .filter(
          (to) => !to.startsWith('contract/') && !libraries.includes(to.replace(/^(@noble\/\w+)\/.*/, '$1')),
        )
        .map((to) => `${path} → ${to}`),
    )
    expect(breaches, 'the contract does no I/O and renders nothing').toEqual([])
  })
})

test('the sandbox of the payment partner and the product know nothing of each other', () => {
  const inside = readSources(['sandbox']).flatMap(({ path, imports }) =>
    imports
      .map((to) => resolveImport(path, to))
      .filter((to) => /^(server|web|db|contract)\//.test(to))
      .map((to) => `${path} → ${to}`),
  )
  const outside = readSources(['server', 'web', 'contract', 'db']).flatMap(({ path, imports }) =>
    imports.filter((to) => resolveImport(path, to).startsWith('sandbox/')).map((to) => `${path} → ${to}`),
  )
  expect([...inside, ...outside], 'the product speaks to it over the wire alone').toEqual([])
})

describe.each([
  ['server', server],
  ['web', web],
] as const)('the modules of the %s', (side, sources) => {
  const imports = sources.flatMap(({ path, imports }) =>
    imports
      .map((to) => ({ from: path, to: resolveImport(path, to) }))
      .filter(({ to }) => to.startsWith(`${side}/`)),
  )

  test('are all on the list', () => {
    const found = new Set(sources.map(({ path }) => moduleOf(path)))
    expect([...found].filter((name) => !above[side].has(name) && !order[side].includes(name))).toEqual([])
  })

  test('import only those below them', () => {
    const breaches = imports.filter(({ from, to }) => {
      if (above[side].has(moduleOf(from))) return false
      return order[side].indexOf(moduleOf(to)) > order[side].indexOf(moduleOf(from)) || isAbove(to)
    })
    expect(breaches.map(arrow), 'call down; on the server emit up, in the web pass it in from above').toEqual(
      [],
    )
  })

  test('keep their subfolders private', () => {
    const breaches = imports.filter(
      ({ from, to }) =>
        to.split('/').length > 3 &&
        !['kit', moduleOf(from)].includes(moduleOf(to)) &&
        // The list of screens loads each from its own folder.
        from !== 'web/routes.tsx',
    )
    expect(breaches.map(arrow), 'export it from a file at the top of the module').toEqual([])
  })

  test(`have at most ${topFilesLimit} files at their top`, () => {
    const folders = readdirSync(side, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const counts = folders.map(({ name }) => {
      const files = readdirSync(`${side}/${name}`, { withFileTypes: true }).filter((entry) => entry.isFile())
      return [name, files.filter((file) => !/\.test\.|^testing\./.test(file.name)).length] as const
    })
    expect(counts.filter(([, count]) => count > topFilesLimit)).toEqual([])
  })

  function isAbove(path: string) {
    return above[side].has(moduleOf(path))
  }
})

function moduleOf(path: string) {
  return path.split('/')[1] ?? ''
}

function arrow({ from, to }: { from: string; to: string }) {
  return `${from} → ${to}`
}

test('each module lists its mails in mails.ts', () => {
  const lists = server.filter(({ text }) => /: MailTemplates = /.test(text)).map(({ path }) => path)
  expect(
    lists.filter((path) => path !== 'server/app.ts' && !/^server\/[^/]+\/mails\.ts$/.test(path)),
  ).toEqual([])
})

describe('the modules of the web', () => {
  test('show each other’s parts, never each other’s screens', () => {
    const breaches = web.flatMap(({ path, imports }) => {
      if (above.web.has(moduleOf(path))) return []
      return imports
        .map((to) => resolveImport(path, to))
        .filter(
          (to) => to.startsWith('web/') && to.endsWith('-screen.tsx') && moduleOf(to) !== moduleOf(path),
        )
        .map((to) => `${path} → ${to}`)
    })
    expect(breaches).toEqual([])
  })

  test('leave the endpoints of the sign-in library to the sign-in', () => {
    const others = web.filter(
      ({ path, text }) => text.includes('/api/auth/') && !path.startsWith('web/sign-in/'),
    )
    expect(others.map(({ path }) => path)).toEqual([])
  })
})

describe('imports', () => {
  test.each([
    ['the web', ['web']],
    ['the server, the contract and the database', ['server', 'contract', 'db']],
  ])('of %s never lead in a circle', (_name, folders) => {
    expect(findCycles(readSources(folders)), 'move what both need into a file of its own').toEqual([])
  })

  test('in a circle are found, however long it is', () => {
    const source = (path: string, ...imports: string[]) => ({ path, text: '', imports })
    const circle = [source('a.ts', './b.ts'), source('b.ts', './c.ts'), source('c.ts', './a.ts')]
    expect(findCycles([source('d.ts', './a.ts'), ...circle])).toEqual(['a.ts → b.ts → c.ts → a.ts'])
    expect(findCycles([source('own.ts', './own.ts')])).toEqual(['own.ts → own.ts'])
    expect(findCycles([source('top.ts', './low.ts'), source('low.ts')])).toEqual([])
  })
})

test('each partner library is imported by its owner alone', () => {
  const breaches = everything.flatMap(({ path, imports }) =>
    imports
      .filter((to) => {
        const name = to
          .split('/')
          .slice(0, to.startsWith('@') ? 2 : 1)
          .join('/')
        const owner = owners[name]
        return owner !== undefined && !owner.test(path)
      })
      .map((to) => `${path} → ${to}`),
  )
  expect(breaches, 'go through the owner’s file, or make a decision').toEqual([])
})
