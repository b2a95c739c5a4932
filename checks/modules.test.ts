import { describe, expect, test } from 'vitest'
import { findCycles, readSources, resolveImport } from './sources.ts'

// Bottom to top. A room may look into those before it; from above it is told by events.
const serverRooms = [
  'kit',
  'members',
  'accounts',
  'sign-in',
  'notifications',
  'membership',
  'products',
  'matching',
  'reviews',
  'support',
  'privacy',
  'site',
]
// Those of the web stand beside each other, on the kit.
const webRooms = [
  'accounts',
  'sign-in',
  'settings',
  'members',
  'products',
  'matching',
  'reviews',
  'notifications',
  'support',
  'articles',
  'marketing',
]

// What stands above the rooms: composition, the demo, tests' harness.
const above = new Set(['app.ts', 'main.ts', 'worker.ts', 'reactions.ts', 'demo', 'dev', 'testing'])
const aroundWebRooms = new Set(['kit', 'shell'])

/** Packages that have one owner: whoever needs them goes through that file. */
const owners: Record<string, RegExp> = {
  fflate: /^server\/kit\/zip\.ts$/,
  'better-auth': /^server\/sign-in\/better-auth\.ts$/,
  '@better-auth/passkey': /^server\/sign-in\/better-auth\.ts$/,
  bowser: /^server\/accounts\/device-names\.ts$/,
  '@node-rs/argon2': /^(server\/accounts\/passwords\.ts|db\/seed\/.*)$/,
  nodemailer: /^server\/kit\/mail\/mail\.ts$/,
  'pg-boss': /^(server\/kit\/jobs\.ts|db\/migrate\.ts)$/,
  pino: /^server\/kit\/log\.ts$/,
  'prom-client': /^server\/kit\/metrics\.ts$/,
  sharp: /^(server\/kit\/uploads\/image-worker|db\/seed\/(covers|pictures))\.ts$/,
  '@orpc/server':
    /^server\/(kit\/http\/(api|http|edge-errors)|sign-in\/auth-requests|[\w-]+\/[\w-]*procedures)\.ts$/,
  '@orpc/openapi': /^server\/(app|kit\/http\/http)\.ts$/,
  '@hono/node-server': /^server\/(main|kit\/http\/http)\.ts$/,
  'react-dropzone': /^web\/kit\//,
  '@base-ui/react': /^web\//,
}

const server = readSources(['server'])
const web = readSources(['web'])
const everything = readSources(['server', 'web', 'contract', 'db', 'scripts', 'bench'])

describe('the two houses', () => {
  test('never see each other: only the contract stands between them', () => {
    const breaches = everything.flatMap(({ path, imports }) => {
      const house = path.split('/')[0]
      return imports
        .map((to) => resolveImport(path, to))
        .filter(
          (to) =>
            (house === 'web' && /^(server|db)\//.test(to)) || (house === 'server' && to.startsWith('web/')),
        )
        .map((to) => `${path} → ${to}`)
    })
    expect(breaches, 'move what both need into contract/').toEqual([])
  })

  test('share a contract that knows nothing but itself and its schema library', () => {
    const breaches = readSources(['contract']).flatMap(({ path, imports }) =>
      imports
        .map((to) => resolveImport(path, to))
        .filter((to) => !to.startsWith('contract/') && to !== 'zod' && to !== '@orpc/contract')
        .map((to) => `${path} → ${to}`),
    )
    expect(breaches, 'the contract does no input, output or drawing').toEqual([])
  })
})

describe('the rooms of the server', () => {
  test('look only downwards; what happened below reaches them as an event', () => {
    const breaches = server.flatMap(({ path, imports }) => {
      const room = path.split('/')[1] ?? ''
      if (above.has(room)) return []
      return imports
        .map((to) => resolveImport(path, to))
        .filter((to) => to.startsWith('server/'))
        .filter((to) => {
          const other = to.split('/')[1] ?? ''
          return above.has(other) || serverRooms.indexOf(other) > serverRooms.indexOf(room)
        })
        .map((to) => `${path} → ${to}`)
    })
    expect(breaches, 'call down, emit up').toEqual([])
  })

  test('are all on the list', () => {
    const rooms = new Set(server.map(({ path }) => path.split('/')[1] ?? ''))
    expect([...rooms].filter((room) => !above.has(room) && !serverRooms.includes(room))).toEqual([])
  })

  test('keep what lies in their subfolders to themselves', () => {
    const breaches = server.flatMap(({ path, imports }) =>
      imports
        .map((to) => resolveImport(path, to))
        .filter(
          (to) => /^server\/(?!kit\/)[^/]+\/[^/]+\//.test(to) && to.split('/')[1] !== path.split('/')[1],
        )
        .map((to) => `${path} → ${to}`),
    )
    expect(breaches, 'export it from a file at the top of the room').toEqual([])
  })
})

test('each room lists its mails in a file of that name', () => {
  const lists = server.filter(({ text }) => /: MailTemplates = /.test(text)).map(({ path }) => path)
  expect(
    lists.filter((path) => path !== 'server/app.ts' && !/^server\/[^/]+\/mails\.ts$/.test(path)),
  ).toEqual([])
})

describe('the rooms of the web', () => {
  test('are all on the list', () => {
    const rooms = new Set(web.flatMap(({ path }) => /^web\/([^/]+)\//.exec(path)?.[1] ?? []))
    expect([...rooms].filter((room) => !aroundWebRooms.has(room) && !webRooms.includes(room))).toEqual([])
  })

  test('show each other’s things, never each other’s screens', () => {
    const breaches = web.flatMap(({ path, imports }) => {
      const room = path.split('/')[1] ?? ''
      if (!webRooms.includes(room)) return []
      return imports
        .map((to) => resolveImport(path, to))
        .filter((to) => to.startsWith('web/') && to.endsWith('-screen.tsx') && to.split('/')[1] !== room)
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

  test('stand above the kit, which knows none of them', () => {
    const breaches = web
      .filter(({ path }) => path.startsWith('web/kit/'))
      .flatMap(({ path, imports }) =>
        imports
          .map((to) => resolveImport(path, to))
          .filter((to) => to.startsWith('web/') && !to.startsWith('web/kit/'))
          .map((to) => `${path} → ${to}`),
      )
    expect(breaches).toEqual([])
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
