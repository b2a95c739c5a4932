// Sends push messages (RFC 8030) to the push services of browsers. A member enters the address of theirs, so
// only known services are ever asked, never a private address, and no redirect is followed.
import { lookup } from 'node:dns'
import { request as plainRequest } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import webPush from 'web-push'
import type { PushConfig } from './config.ts'
import { outcomeOfStatus, timePartner } from './observe/metrics.ts'

type PushTarget = { endpoint: string; p256dh: string; auth: string }

type PushMessage = {
  /** Encrypted for the browser alone: the push service cannot read it. */
  payload: string
  /** How long the service keeps it for a browser that is offline, in seconds. */
  seconds: number
  urgent: boolean
  /** Of two messages with one topic a browser that was offline gets the later one. Says nothing to others. */
  topic: string
}

/** The service took it, the subscription is over, the service refused it for good, or it may work later. */
export type PushResult = 'taken' | 'gone' | 'refused' | 'later'

const timeoutMs = 10_000

/** A new pair of keys that sign push messages, in base64url. */
export function makeVapidKeys(): { publicKey: string; privateKey: string } {
  return webPush.generateVAPIDKeys()
}

/** Whether a request may go to this address: https at a known push service, on the usual port. */
export function isPushService({ hosts, sandbox }: PushConfig, endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password, origin } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  if (sandbox !== null && origin === sandbox) return true
  return protocol === 'https:' && port === '' && hosts.some((host) => isAtHost(hostname, host))
}

function isAtHost(hostname: string, host: string) {
  return hostname === host || hostname.endsWith(`.${host}`)
}

/** Encrypts a message for one browser and hands it to its push service. Never throws for an answer. */
export async function sendPush(
  config: PushConfig,
  target: PushTarget,
  { payload, seconds, urgent, topic }: PushMessage,
): Promise<PushResult> {
  if (!isPushService(config, target.endpoint)) return 'gone'
  const { endpoint, p256dh, auth } = target
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: config,
    TTL: Math.max(0, Math.floor(seconds)),
    urgency: urgent ? 'high' : 'normal',
    topic,
  })
  // The library types headers loosely; it makes only texts and numbers.
  const given = headers as Record<string, string | number>
  return resultOf(
    await timePartner('push', () => post(config, endpoint, given, body ?? Buffer.alloc(0)), {
      ofAnswer: outcomeOfStatus,
    }),
  )
}

function resultOf(status: number): PushResult {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

function post(config: PushConfig, endpoint: string, headers: Record<string, string | number>, body: Buffer) {
  const url = new URL(endpoint)
  const isSandbox = url.origin === config.sandbox
  const options: RequestOptions = {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(timeoutMs),
    agent: false,
    ...(isSandbox ? {} : { lookup: lookupPublic }),
  }
  const open = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise<number>((resolve, reject) => {
    const asked = open(url, options, (answer: IncomingMessage) => {
      // The body says nothing that is needed. Reading it to its end frees the connection.
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const privateAddresses = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv4')
}

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateAddresses.check(address, 'ipv4')
  // Of IPv6, only global unicast is public; an IPv4 address inside an IPv6 one is not.
  return /^[23][0-9a-f]{3}:/i.test(address) && !address.startsWith('2002:')
}

/** Resolves a name to its public addresses alone. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const allowed = found.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) return done(new Error(`${hostname} has no public address.`), '')
    if (options.all) return done(null, allowed)
    return done(null, first.address, first.family)
  })
}
