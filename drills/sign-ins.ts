// Members who sign in by their password again and again, each time as a browser at another address.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { givePasswords } from '../bench/web.ts'
import { headersOf } from './club.ts'
import type { Member } from './club.ts'
import type { Exchange } from './faults/exchange.ts'
import { isBusy } from './visitor.ts'

const password = 'a password of the drill'
const pauseMs = 3000
/** Addresses that no other member of a drill comes from. */
const firstAddress = 20_000

export async function startSignIns(
  admin: PgConnection,
  { history, goesOn }: Pick<Exchange, 'history' | 'goesOn'>,
  members: Member[],
) {
  const memberIds = members.map(({ memberId }) => memberId)
  const people = await givePasswords(admin, memberIds, password)
  const others: string[] = []
  let good = 0
  let tries = 0

  /** Undefined, or what was answered instead. */
  async function signIn(email: string): Promise<string | undefined> {
    tries += 1
    const headers = headersOf(null, firstAddress + tries)
    const body = { email, password }
    const entered = await history.send({ headers }, { path: '/api/auth/sign-in/email', body })
    // The machine has too much other work to do, which has nothing to do with what is drilled.
    if (isBusy(entered)) return undefined
    if (entered.status !== 200) return `${entered.status} ${entered.text.slice(0, 100)}`
    good += 1
    const me = { headers: { ...headers, cookie: entered.cookies.join('; ') } }
    const seen = await history.send(me, { method: 'GET', path: '/api/me' })
    return isBusy(seen) || seen.text.includes(email) ? undefined : `${seen.status} for /api/me afterwards`
  }

  const acting = people.map(async ({ email }) => {
    await sleep(pauseMs * Math.random())
    for (; goesOn(); await sleep(pauseMs * (0.5 + Math.random()))) {
      const instead = await signIn(email)
      if (instead) others.push(instead)
    }
  })
  return { acting, figures: () => ({ good, others }) }
}
