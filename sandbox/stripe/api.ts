// The wire: keys, versions, form-encoded parameters, idempotency keys and errors, around the calls.
import { createHash } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import Stripe from 'stripe'
import type { z } from 'zod'
import type { Account } from './account.ts'
import { calls, type Call } from './calls.ts'
import { expanded } from './expand.ts'
import { Fault, refuse } from './fault.ts'
import type { FaultOrder, Faults } from './faults.ts'
import { readForm } from './form.ts'
import { newId } from './ids.ts'

type Env = { Bindings: HttpBindings }
type Answer = { status: number; body: string; requestId: string; replayed: boolean }

/** Seconds for which the answer to an idempotency key is kept. */
const keptFor = 86_400

export function apiRoutes(account: Account, faults: Faults): Hono<Env> {
  const app = new Hono<Env>()
  for (const call of calls) app.on(call.method, call.path, (c) => answerCall(account, faults, call, c))
  app.all('/v1/*', (c) => {
    const message =
      `Unrecognized request URL (${c.req.method}: ${c.req.path}). ` +
      'The sandbox answers only the calls that the club makes.'
    return send(c, failed(new Fault(404, { type: 'invalid_request_error', message }), newId('req')))
  })
  return app
}

async function answerCall(account: Account, faults: Faults, call: Call, c: Context<Env>): Promise<Response> {
  const body = await c.req.text()
  const fault = faults.take(call.method, c.req.path)
  if (fault && !fault.carriedOut) return fail(c, fault)
  const answer = answerTo(account, call, c, body)
  if (call.method !== 'GET') account.save()
  return fault ? fail(c, fault) : send(c, answer)
}

/** Nothing in here waits, so that requests are carried out one after the other. */
function answerTo(account: Account, call: Call, c: Context<Env>, body: string): Answer {
  const requestId = newId('req')
  const key = call.method === 'POST' ? c.req.header('idempotency-key') : undefined
  const query = new URL(c.req.url).search.slice(1)
  const request = createHash('sha256').update([call.method, c.req.path, query, body].join('\0')).digest('hex')
  try {
    refuseStranger(account, c.req.header('authorization'))
    refuseVersion(c.req.header('stripe-version'))
    const kept = key === undefined ? undefined : findKept(account, key)
    if (kept && kept.request !== request) throw sameKey(key ?? '')
    if (kept) return { ...kept, replayed: true }
    const input = read(call, [query, body].filter(Boolean).join('&'))
    const answer = carryOut(account, call, input, c.req.param('id') ?? '', requestId, key ?? null)
    if (key !== undefined) account.state.kept[key] = { request, at: account.now(), ...answer }
    return answer
  } catch (error) {
    if (error instanceof Fault) return failed(error, requestId)
    throw error
  }
}

type Input = { expand?: string[] }

function carryOut(
  account: Account,
  call: Call,
  input: Input,
  id: string,
  requestId: string,
  idempotencyKey: string | null,
): Answer {
  account.request = { id: requestId, idempotencyKey }
  try {
    const { expand = [], ...given } = input
    const plain = call.answer(account, given, id)
    const answer = expand.length === 0 ? plain : expanded(account, plain, expand)
    return { status: 200, body: JSON.stringify(answer, null, 2), requestId, replayed: false }
  } catch (error) {
    // An error of carrying it out is kept for its idempotency key as well.
    if (error instanceof Fault) return failed(error, requestId)
    throw error
  } finally {
    account.request = undefined
  }
}

function refuseStranger({ secretKey }: Account, authorization: string | undefined) {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ')
  const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value
  if (key === secretKey) return
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
    : 'You did not provide an API key.'
  throw new Fault(401, { type: 'invalid_request_error', message })
}

function refuseVersion(version: string | undefined) {
  if (version === undefined || version === Stripe.API_VERSION) return
  throw refuse(`Invalid Stripe API version: ${version}. The sandbox speaks ${Stripe.API_VERSION}.`)
}

function findKept({ state, now }: Account, key: string) {
  for (const [each, { at }] of Object.entries(state.kept)) if (at <= now() - keptFor) delete state.kept[each]
  return state.kept[key]
}

function sameKey(key: string) {
  const message =
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
    `Try using a key other than '${key}' if you meant to execute a different request.`
  return new Fault(400, { type: 'idempotency_error', message })
}

function read(call: Call, form: string): Input {
  const result = call.input.safeParse(readForm(form))
  // Every schema of a call has `expand`.
  if (result.success) return result.data as Input
  const issue = result.error.issues[0]
  throw issue ? faultOf(issue) : refuse('Invalid request.')
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  const [first = '', ...rest] = [
    ...issue.path,
    ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []),
  ]
  const param = `${String(first)}${rest.map((key) => `[${String(key)}]`).join('')}`
  if (issue.code === 'unrecognized_keys')
    return refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  return refuse(`Invalid ${param}: ${issue.message}`, { param })
}

function failed(fault: Fault, requestId: string): Answer {
  const error = { ...fault.details, request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` }
  return { status: fault.status, body: JSON.stringify({ error }, null, 2), requestId, replayed: false }
}

function send(c: Context<Env>, { status, body, requestId, replayed }: Answer): Response {
  const key = c.req.header('idempotency-key')
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': replayed ? newId('req') : requestId,
      'stripe-version': Stripe.API_VERSION,
      ...(key !== undefined && { 'idempotency-key': key, 'original-request': requestId }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
    },
  })
}

function fail(c: Context<Env>, { how }: FaultOrder): Response | Promise<Response> {
  if (how === 'break') {
    c.env.incoming.socket.destroy()
    return new Response(null)
  }
  if (how === 'hang')
    return new Promise((resolve) => c.env.incoming.socket.once('close', () => resolve(new Response(null))))
  const type = how >= 500 ? 'api_error' : 'invalid_request_error'
  const body = JSON.stringify({ error: { type, message: 'The sandbox was asked to fail.' } })
  return new Response(body, {
    status: how,
    headers: { 'content-type': 'application/json', 'request-id': newId('req') },
  })
}
