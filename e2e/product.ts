// The built product, started by one command with its own data folder and port. Journeys see what users see.
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { createControl } from '#sandbox/stripe/control.ts'
import type { Control } from '#sandbox/stripe/control.ts'
import { freePort } from '#scripts/free-port.ts'
import { openIdentityProvider } from '#server/testing/identity-provider.ts'
import type { IdentityProvider } from '#server/testing/identity-provider.ts'
import { startProgram, untilReady } from '#server/testing/program.ts'
import { startOutsideServer } from './outside-server.ts'

export type Product = {
  origin: string
  /** The output of `npm start`. */
  output(): string
  /** Process ids of a running part, to be killed. */
  pids(part: 'web' | 'worker' | 'postgres'): number[]
  /** Of an external database; null for the embedded one. */
  databaseUrl: string | null
  /** Steers the payment sandbox of its demo. */
  payments: Payments
  /** The newest secret link that was mailed to an address, as the demo's mailbox shows it. */
  linkMailedTo(address: string): Promise<string>
  stop(): Promise<void>
}

type Payments = Control & {
  /** The id of the customer with this email, once they have opened a payment page. */
  customerOf(email: string): Promise<string>
  /** The states of the customer's subscriptions, and what was given back. */
  standingOf(customer: string): Promise<{ subscriptions: string[]; refundedCents: number }>
}

export type Where = 'embedded' | 'external'

/**
 * The proxy's header for the address of a browser. Rate limits count by address, and a journey has several
 * people.
 */
export const addressHeader = 'x-journey-address'

/**
 * `product` starts on first use and is shared by all journeys of its database, which `where` names. On an
 * external one it also offers the sign-in by `provider`.
 */
export const test = base.extend<object, { where: Where; provider: IdentityProvider; product: Product }>({
  where: ['embedded', { option: true, scope: 'worker' }],
  provider: [
    // Playwright reads the needed fixtures from this pattern, even when it is empty.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const provider = await openIdentityProvider()
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ where, provider }, use) => {
      const product = await startProduct(where, where === 'external' ? provider.env : {})
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
export { expect } from '@playwright/test'

/** `settings` are added to its environment. */
export async function startProduct(where: Where, settings: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-journey-'))
  const port = await freePort()
  const external = where === 'external' ? await startOutsideServer() : undefined
  const { DATABASE_URL: _, ...inherited } = process.env
  const log = join(dataDir, 'log')
  const program = startProgram(
    ['scripts/start.mjs', 'start'],
    {
      ...inherited,
      PORT: String(port),
      METRICS_PORT: '0',
      WORKER_METRICS_PORT: '0',
      DATA_DIR: dataDir,
      EVENHAND_MODE: 'demo',
      TRUSTED_PROXY_HEADER: addressHeader,
      ...settings,
      ...(external
        ? {
            DATABASE_URL: external.url,
            AUTH_SECRET: 'journeys-only-7f1c9a52e0b84d63f2a9',
            PUBLIC_ORIGIN: `http://localhost:${port}`,
          }
        : {}),
    },
    log,
  )
  const output = () => readFileSync(log, 'utf8')
  const origin = `http://localhost:${port}`
  await untilReady([program], log, () => output().includes(origin))
  return {
    origin,
    output,
    pids: (part) =>
      part === 'postgres' ? postmasterOf(dataDir) : childrenOf(program.pid, `scripts/process.mjs ${part}`),
    databaseUrl: external?.url ?? null,
    payments: paymentsOf(dataDir),
    linkMailedTo: (address) => linkMailedTo(origin, address),
    async stop() {
      await program.end('SIGTERM')
      await external?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type SandboxState = {
  customers: Record<string, { id: string; email?: string | null }>
  subscriptions: Record<string, { customer: string; status: string }>
  charges: Record<string, { customer: string | null; amount_refunded: number }>
}

function paymentsOf(dataDir: string): Payments {
  const read = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
  const state = (): SandboxState => read('payment-sandbox-state.json')
  const { port } = read('payment-sandbox.json')
  return {
    ...createControl(`http://127.0.0.1:${port}`),
    async customerOf(email) {
      const found = Object.values(state().customers).find((customer) => customer.email === email)
      if (!found) throw new Error(`${email} has no customer.`)
      return found.id
    },
    async standingOf(id) {
      const { subscriptions, charges } = state()
      const theirs = Object.values(charges).filter(({ customer }) => customer === id)
      return {
        subscriptions: Object.values(subscriptions)
          .filter(({ customer }) => customer === id)
          .map(({ status }) => status),
        refundedCents: theirs.reduce((sum, charge) => sum + charge.amount_refunded, 0),
      }
    },
  }
}

async function linkMailedTo(origin: string, address: string) {
  const until = Date.now() + 120_000
  for (;;) {
    const answer = await fetch(`${origin}/dev/mail.json?to=${encodeURIComponent(address)}`)
    const mails = (await answer.json()) as { text: string }[]
    const link = /https?:\/\/\S+#token=[\w-]+/.exec(mails[0]?.text ?? '')?.[0]
    if (link) return link
    if (Date.now() > until) throw new Error(`No link was mailed to ${address}.`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Descendants of `root` whose command line contains `text`, read from /proc. */
function childrenOf(root: number, text: string) {
  const parents = new Map<number, number>()
  const commands = new Map<number, string>()
  for (const path of globSync('/proc/[0-9]*/stat')) {
    try {
      const stat = readFileSync(path, 'utf8')
      const pid = Number(stat.split(' ')[0])
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
      commands.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    } catch {
      // It ended while we looked.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || isBelow(parent))
  }
  return [...commands].filter(([pid, command]) => command.includes(text) && isBelow(pid)).map(([pid]) => pid)
}

/** The process id in postmaster.pid; NaN while PostgreSQL is down. */
function postmasterOf(dataDir: string) {
  const pointer = globSync(join(dataDir, '{postgres-is-at,postgres/data/postmaster.pid}'))
  const file =
    pointer.find((path) => path.endsWith('postmaster.pid')) ??
    join(readFileSync(pointer[0] ?? '', 'utf8').trim(), 'data', 'postmaster.pid')
  return [Number(readFileSync(file, 'utf8').split('\n')[0])]
}
