// Accounts as members open and use them: sign-up, mails and login sessions of one test file's club.
import { sql } from 'kysely'
import { beforeAll } from 'vitest'
import type { Config } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { openLog } from '#server/kit/log.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import type { Answer, Browser } from './browser.ts'
import { useFreshClub } from './club.ts'
import type { Club } from './club.ts'
import { useEdge } from './edge.ts'
import type { Edge, EdgeOptions } from './edge.ts'
import { mailsTo } from './mails.ts'

export const log = openLog('test', 'silent')

/** A password that we accept. */
export const good = 'violet-dragon-lamp'

/** The code of a refusal. */
export const codeOf = ({ json }: { json: Record<string, unknown> | null }) => json?.code

/** The headers of an answer, without those that differ between any two answers. */
export function headersOf({ headers }: Pick<Answer, 'headers'>): [string, string][] {
  const { date: _, 'x-request-id': __, ...others } = headers
  return Object.entries(others).map(([name, value]) => [name, String(value)])
}

/**
 * A separate club for one test file, with its edge and its accounts. `prepare` may change the club's
 * configuration first.
 */
export function useAccounts({
  prepare,
  ...options
}: { prepare?: (config: Config) => Promise<void> } & EdgeOptions = {}) {
  const club = useFreshClub()
  beforeAll(() => prepare?.(club.config))
  const edge = useEdge(club, options)
  return { ...accountsOf(club, edge), club, edge }
}

function accountsOf(club: Club, edge: Edge) {
  const newBrowser = (address?: string) => withForms(edge.visitor(address))
  const newestMail = async (email: string) => (await mailsTo(club, email)).at(-1)
  const tokenFor = async (email: string) => (await newestMail(email))?.token ?? ''
  return {
    newBrowser,
    newestMail,
    tokenFor,
    mailsTo: (email: string) => mailsTo(club, email),
    sessionsOf: (email: string) => sessionsOf(club.system, email),
    /** Signs up and confirms in one browser. */
    async newMember(username: string) {
      const browser = newBrowser()
      const email = `${username}@mail.example`
      await browser.signUp(email, username)
      await browser.post('/api/verify-email', { token: await tokenFor(email) })
      return { browser, email }
    },
  }
}

/** A browser that can submit the forms of sign-up and sign-in. */
function withForms(browser: Browser) {
  return Object.assign(browser, {
    signUp: (email: string, username: string, password = good) =>
      browser.post('/api/sign-up', { email, username, password }),
    signIn: (email: string, password = good) => browser.post('/api/auth/sign-in/email', { email, password }),
  })
}

async function sessionsOf({ db }: Ctx, email: string) {
  const { rows } = await sql<{ id: string; token: string }>`
    select s.id, s.token from sessions s join members m on m.id = s.member_id
    where m.email = ${email}`.execute(db)
  return rows
}

/** Erases the account of an address. */
export async function eraseByEmail(ctx: Ctx, email: string) {
  const { id } = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await eraseMember(ctx, id)
}
