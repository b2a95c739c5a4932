// Who may make which call: each of the ten callers asks every call of the contract and for every file over
// the wire, and gets the answer of contract/rights.ts. A new one is asked as well: `inputs` says what to send
// when that cannot be made up.
import { describe, expect, test } from 'vitest'
import type { AnyContractProcedure } from '@orpc/contract'
import type { z } from 'zod'
import { callers, fileRights, rights } from '#contract/rights.ts'
import type { Answer as Outcome, Caller, FilePath, Right } from '#contract/rights.ts'
import { allCalls } from '#server/kit/http/api.ts'
import type { Browser } from '#server/testing/browser.ts'
import { confirm, fileMethods, inputs, madeUp, useCallers } from './rights-fixtures.ts'
import type { Input, Person } from './rights-fixtures.ts'

const { scene, newPerson } = useCallers()

type Call = {
  name: string
  method: string
  path: string
  schema: z.ZodType | undefined
  right: Right
  isFile: boolean
}

const jsonCalls: Call[] = Object.entries(allCalls).flatMap(([group, of]) =>
  Object.entries(of).map(([name, call]: [string, AnyContractProcedure]) => {
    const { inputSchema, route } = call['~orpc']
    const table: Record<string, Record<string, Right>> = rights
    const right = table[group]?.[name]
    if (!right || !route.path) throw new Error(`${group}.${name} has no row or no path.`)
    // The contract is written with Zod alone.
    const schema = inputSchema as z.ZodType | undefined
    return {
      name: `${group}.${name}`,
      method: route.method ?? 'POST',
      path: `/api${route.path}`,
      schema,
      right,
      isFile: false,
    }
  }),
)

const files = Object.entries(fileRights).map(([path, right]): Call => ({
  name: path,
  // `entries` widens the paths, which the type of `fileRights` lists.
  method: fileMethods[path as FilePath],
  path: `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  schema: undefined,
  right,
  isFile: true,
}))

const calls = [...jsonCalls, ...files]

/** The refusals that say who may not call. Any other answer means that the caller may. */
const refusalsOfRights = new Set([
  ...callers.flatMap((caller) => calls.map(({ right }) => right.answers[caller])),
  'TWO_FACTOR_NEEDED',
  'NOT_FRESH',
])
const staff = ['support', 'admin'] as const
/** They send the ids of the owner. */
const strangers: readonly Caller[] = ['visitor', 'unverified', 'other', ...staff]

const isStaffCall = ({ right }: Call) => right.gate === 'staff' || right.gate === 'admin'
/** What staff may and another member may not, such as opening a proof. */
const isForStaff = ({ right }: Call) => right.answers.other !== 'yes' && right.answers.admin === 'yes'

/** What `me` sends. Every thing that it names belongs to `me`. */
async function inputOf({ name, schema, right }: Call, me: Person): Promise<Input> {
  const make = inputs[name]
  if (make) return make({ me, club: scene })
  if (right.answers.other === 'NOT_FOUND')
    throw new Error(`${name} is about something of a member: add to \`inputs\` how to make one.`)
  const made = madeUp(schema)
  if (!made) throw new Error(`No input for ${name} can be made up from its schema: add one to \`inputs\`.`)
  return made
}

/** The code with which a caller is refused for who they are, or `yes`. */
async function ask(call: Call, browser: Browser, input: Input): Promise<string> {
  const { path, rest } = inPath(call.path, input)
  const answer =
    call.method === 'GET'
      ? await browser.get(`${path}${queryOf(rest)}`)
      : await browser.send(call.method, path, rest.file ? await formOf(rest) : { body: rest })
  const code = String(answer.json?.code)
  // Such a caller was not answered at all.
  if (answer.status >= 500 || answer.status === 429) return `${answer.status} ${answer.text}`
  if (answer.status === 404 && answer.json === null) return `no such address: ${call.method} ${path}`
  if (call.isFile && answer.status < 400)
    return answer.headers['content-disposition']?.startsWith('attachment') ? 'yes' : 'not a file'
  // A file has its own words for what is not there, and a stranger's answer is the same.
  if (call.isFile && answer.status === 404) return 'NOT_FOUND'
  return answer.status >= 400 && refusalsOfRights.has(code) ? code : 'yes'
}

function inPath(path: string, input: Input) {
  const named = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const rest: Input = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)))
  return { path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name])), rest }
}

function queryOf(input: Input) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) query.set(name, String(value))
  return query.size > 0 ? `?${query.toString()}` : ''
}

async function formOf({ file, ...fields }: Input) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  if (file) form.set('file', file, 'picture.png')
  const request = new Request('http://form.invalid', { method: 'POST', body: form })
  return {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  }
}

/** The answers that staff may get for an id that nothing has: they passed their gate and found nothing. */
function passed(call: Call, caller: Caller, answer: string): string {
  const mayCall = isStaffCall(call) && call.right.answers[caller] === 'yes'
  return mayCall && answer === 'NOT_FOUND' ? 'yes' : answer
}

type Asking = { input?: Input; fresh?: boolean }

async function askAs(call: Call, caller: Caller, { input, fresh = true }: Asking = {}) {
  const me = await newPerson(caller)
  // Some inputs need something of the caller to be there, whatever is sent.
  const mine = mayAsMember(call, caller) || !input ? await inputOf(call, me) : {}
  // Rows without `fresh` are asked with a login session that is not.
  if (fresh && call.right.fresh) await confirm(me)
  return passed(call, caller, await ask(call, me.browser, input ?? mine))
}

const mayAsMember = ({ right }: Call, caller: Caller) =>
  right.gate === 'member' && right.answers[caller] === 'yes'

describe('each caller gets the answer of the table', () => {
  test.each(calls)('$name', async (call) => {
    const owner = await newPerson('owner')
    const input = await inputOf(call, owner)
    const others = callers.filter((caller) => caller !== 'owner')
    const found = await Promise.all(
      others.map(async (caller): Promise<[Caller, string]> => [
        caller,
        await askAs(call, caller, strangers.includes(caller) || isStaffCall(call) ? { input } : {}),
      ]),
    )
    if (call.right.fresh) await confirm(owner)
    const answers = { ...Object.fromEntries(found), owner: await ask(call, owner.browser, input) }
    expect(answers).toEqual(call.right.answers)
  })
})

describe('a call that needs a fresh login session refuses another one', () => {
  test.each(calls.filter(({ right }) => right.fresh))('$name', async (call) => {
    const found = await Promise.all(
      callers
        .filter((caller) => call.right.answers[caller] === 'yes')
        .map(async (caller): Promise<[Caller, string]> => [
          caller,
          await askAs(call, caller, { fresh: false }),
        ]),
    )
    expect(found).toEqual(found.map(([caller]) => [caller, 'NOT_FRESH']))
  })
})

describe('staff without a second factor are refused', () => {
  test.each(calls.filter(isForStaff))('$name', async (call) => {
    const input = await inputOf(call, await newPerson('owner'))
    for (const caller of staff) {
      const me = await newPerson(caller, { twoFactor: false })
      await confirm(me)
      const expected: Outcome | 'TWO_FACTOR_NEEDED' =
        call.right.answers[caller] === 'yes' ? 'TWO_FACTOR_NEEDED' : call.right.answers[caller]
      expect(await ask(call, me.browser, input), caller).toBe(expected)
    }
  })
})

test('no input is for a call that does not exist', () => {
  const names = calls.map(({ name }) => name)
  expect(Object.keys(inputs).filter((name) => !names.includes(name))).toEqual([])
})
