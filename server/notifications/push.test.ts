// Push messages, sent to a push service on this machine and decrypted as a browser does (RFC 8291).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { offerMinutes } from '#contract/matching-rules.ts'
import type { PushPayload } from '#contract/notifications.ts'
import { pushDeviceLimit } from '#contract/notifications.ts'
import { endOwnSession, openSession } from '#server/accounts/sessions.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { isPublicAddress, isPushService, makeVapidKeys } from '#server/kit/web-push.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { findCurrentOffer } from '#server/matching/reads.ts'
import { askForReview, present, productOf } from '#server/matching/testing.ts'
import { suspendAsStaff } from '#server/membership/suspensions.ts'
import { useClub } from '#server/testing/club.ts'
import { notify } from './notices.ts'
import { setNoticePreference } from './preferences.ts'
import { addPushDevice, getPush, removePushDevice, testPush } from './push-devices.ts'
import { deleteExpiredPushes, sendPushes } from './push-messages.ts'

const club = useClub()

type Received = { path: string; headers: IncomingMessage['headers']; body: Buffer }
const received: Received[] = []
let status = 201
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end()
  })
})
const vapid = makeVapidKeys()
let origin = ''

beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  club.config.push = {
    ...vapid,
    subject: 'mailto:ops@club.example',
    hosts: ['push.example'],
    sandbox: origin,
  }
})
afterAll(() => service.close())
beforeEach(() => {
  received.length = 0
  status = 201
})

/** A browser with its own keys, signed in as this member. */
async function browserOf(username: string) {
  const member = await club.as(username)
  const { sessionId } = await openSession(member, member.who.id, 'password')
  const ctx: MemberCtx = actAs(member, { ...member.who, sessionId })
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `${origin}/send/${sessionId}`
  const subscription = {
    endpoint,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }
  return { ctx, subscription, read: (body: Buffer) => decrypt(body, keys, auth) }
}

function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): PushPayload {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + (body[20] ?? 0))
  const sealed = body.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const part = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes))
  const opened = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  opened.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()])
  return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString()) as PushPayload
}

const wantPush = (ctx: MemberCtx, kind: 'offers' | 'writing') =>
  setNoticePreference(ctx, { kind, inApp: true, byEmail: true, byPush: true })

const verified = (memberId: string, key = 'review.verified:1') =>
  notify(club.system, {
    memberId,
    key,
    kind: 'writing',
    notice: { title: 'Review verified', message: 'It counts now.', priority: 'medium' },
  })

async function waiting() {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from push_messages`.execute(
    club.system.db,
  )
  return rows[0]?.count
}

describe('a push message', () => {
  test('is off until its kind is switched on, then reaches each browser, encrypted for it', async () => {
    const [phone, laptop] = [await browserOf('anna'), await browserOf('anna')]
    for (const { ctx, subscription } of [phone, laptop]) await addPushDevice(ctx, subscription)
    await verified(phone.ctx.who.id, 'review.verified:0')
    expect(await waiting()).toBe(0)
    await wantPush(phone.ctx, 'writing')
    await verified(phone.ctx.who.id)
    await sendPushes(club.system)
    expect(received).toHaveLength(2)
    for (const { subscription, read } of [phone, laptop]) {
      const sent = received.find(({ path }) => subscription.endpoint.endsWith(path))
      if (!sent) throw new Error('The browser got nothing.')
      expect(read(sent.body)).toEqual({
        title: 'Review verified',
        body: 'It counts now.',
        href: '/notifications',
        tag: expect.any(String),
        until: expect.any(String),
      })
      expect(sent.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
      expect(JSON.stringify(sent.headers) + sent.body.toString('latin1')).not.toMatch(/anna|verified/i)
      expect(isSignedByUs(sent.headers.authorization ?? '')).toBe(true)
    }
    expect(await waiting()).toBe(0)
    expect((await getPush(phone.ctx)).devices).toEqual([
      expect.objectContaining({ current: true, deliveredAt: expect.any(String) }),
      expect.objectContaining({ current: false, deliveredAt: expect.any(String) }),
    ])
  })

  test('about an offer lives as long as the offer, leads to it, and is dropped once answered', async () => {
    const { ctx, subscription, read } = await browserOf('ben')
    await addPushDevice(ctx, subscription)
    await wantPush(ctx, 'offers')
    const anna = await club.as('anna')
    const { id: queueId } = await askForReview(anna, await productOf(anna))
    await present(ctx)
    await matchRequests(club.system)
    await sendPushes(club.system)
    const [sent] = received
    const seconds = Number(sent?.headers['ttl'])
    expect(seconds).toBeGreaterThan(offerMinutes.present * 60 - 30)
    expect(seconds).toBeLessThanOrEqual(offerMinutes.present * 60)
    expect(sent?.headers['urgency']).toBe('high')
    const offer = await findCurrentOffer(ctx)
    expect(read(sent?.body ?? Buffer.alloc(0))).toMatchObject({ href: `/dashboard?offer=${offer?.id}` })
    // A message that is still waiting goes with the answer.
    await sql`insert into push_messages (id, device_id, dedupe_key, title, body, href, urgent, expires_at)
      select gen_random_uuid(), d.id, 'offer.made:' || o.id, 'x', 'x', '/', true, o.expires_at
      from push_devices d join offers o on o.reviewer_id = d.member_id and o.state = 'open'`.execute(ctx.db)
    expect(await waiting()).toBe(1)
    await respondToOffer(ctx, { queueId, accept: false, reason: 'other' })
    await sendPushes(club.system)
    expect(received).toHaveLength(1)
  })

  test('is tried again while the service has trouble, and never after its end', async () => {
    const { ctx, subscription } = await browserOf('anna')
    await addPushDevice(ctx, subscription)
    await wantPush(ctx, 'writing')
    await verified(ctx.who.id)
    status = 503
    await sendPushes(club.system)
    await sendPushes(club.system)
    expect(received).toHaveLength(1)
    status = 307
    await sql`update push_messages set next_try_at = clock_timestamp()`.execute(ctx.db)
    await sendPushes(club.system)
    expect([received.length, await waiting()]).toEqual([2, 0])
    await verified(ctx.who.id, 'review.verified:2')
    await sql`update push_messages set expires_at = clock_timestamp()`.execute(ctx.db)
    await sendPushes(club.system)
    expect([received.length, await waiting()]).toEqual([2, 1])
    await deleteExpiredPushes(club.system)
    expect([received.length, await waiting()]).toEqual([2, 0])
  })

  test.each([404, 410])('answered with %i ends that subscription alone', async (code) => {
    const [gone, other] = [await browserOf('anna'), await browserOf('ben')]
    for (const { ctx, subscription } of [gone, other]) {
      await addPushDevice(ctx, subscription)
      await wantPush(ctx, 'writing')
    }
    await verified(gone.ctx.who.id)
    status = code
    await sendPushes(club.system)
    expect((await getPush(gone.ctx)).devices).toEqual([])
    expect((await getPush(other.ctx)).devices).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  test('to test a browser goes to that one, and to no other member’s', async () => {
    const [anna, ben] = [await browserOf('anna'), await browserOf('ben')]
    await addPushDevice(anna.ctx, anna.subscription)
    const [device] = (await getPush(anna.ctx)).devices
    const id = device?.id ?? ''
    await expect(testPush(ben.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(removePushDevice(ben.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await testPush(anna.ctx, id)
    await sendPushes(club.system)
    expect(anna.read(received[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      title: 'Push messages work here',
    })
  })
})

describe('a subscription', () => {
  test('ends with its login session, with a suspension, and when I end it', async () => {
    const browsers = [await browserOf('anna'), await browserOf('anna'), await browserOf('ben')]
    for (const { ctx, subscription } of browsers) await addPushDevice(ctx, subscription)
    const [first, second, ben] = browsers
    if (!first || !second || !ben) throw new Error('Three browsers were expected.')
    await endOwnSession(first.ctx)
    const left = (await getPush(second.ctx)).devices
    expect(left).toMatchObject([{ current: true }])
    await removePushDevice(second.ctx, left[0]?.id ?? '')
    expect((await getPush(second.ctx)).devices).toEqual([])
    const admin = actAs(ben.ctx, { ...(await club.as('clara')).who, role: 'admin' as const })
    await suspendAsStaff(admin, { memberId: ben.ctx.who.id, reason: 'A test.', days: 7 })
    expect((await getPush(ben.ctx)).devices).toEqual([])
    await expect(addPushDevice(ben.ctx, ben.subscription)).rejects.toMatchObject({ code: 'SUSPENDED' })
  })

  test('gets nothing once its session has expired, although its row is still there', async () => {
    const { ctx, subscription } = await browserOf('anna')
    await addPushDevice(ctx, subscription)
    await wantPush(ctx, 'writing')
    await verified(ctx.who.id)
    await sql`update sessions set last_seen_at = clock_timestamp() - interval '8 days'
      where id = ${ctx.who.sessionId}`.execute(ctx.db)
    await sendPushes(club.system)
    expect(received).toEqual([])
  })

  test('passes to the member who signs in to the same browser, and to no one without its keys', async () => {
    const [anna, ben] = [await browserOf('anna'), await browserOf('ben')]
    await addPushDevice(anna.ctx, anna.subscription)
    const { endpoint } = anna.subscription
    await expect(addPushDevice(ben.ctx, { ...ben.subscription, endpoint })).rejects.toMatchObject({
      code: 'PUSH_SERVICE_UNKNOWN',
    })
    expect((await getPush(anna.ctx)).devices).toHaveLength(1)
    await addPushDevice(ben.ctx, anna.subscription)
    expect((await getPush(anna.ctx)).devices).toEqual([])
    expect((await getPush(ben.ctx)).devices).toHaveLength(1)
  })

  test(`is one of ${pushDeviceLimit} at most`, async () => {
    for (let n = 0; n < pushDeviceLimit; n += 1) {
      const { ctx, subscription } = await browserOf('anna')
      await addPushDevice(ctx, subscription)
      await addPushDevice(ctx, subscription)
    }
    const { ctx, subscription } = await browserOf('anna')
    await expect(addPushDevice(ctx, subscription)).rejects.toMatchObject({ code: 'TOO_MANY_PUSH_DEVICES' })
  })

  test.each([
    'https://push.example.evil.example/x',
    'https://evil.example/?push.example',
    'https://push.example:8443/x',
    'https://user:secret@push.example/x',
    'http://push.example/x',
    'https://notpush.example/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'http://localhost/x',
    'http://127.0.0.1:1/x',
  ])('at %s is refused', async (endpoint) => {
    const { ctx, subscription } = await browserOf('anna')
    await expect(addPushDevice(ctx, { ...subscription, endpoint })).rejects.toMatchObject({
      code: 'PUSH_SERVICE_UNKNOWN',
    })
  })
})

test('a name of a push service that leads to a private address gets no request', () => {
  const config = { ...vapid, subject: 'mailto:ops@club.example', hosts: ['push.example'], sandbox: null }
  expect(isPushService(config, 'https://eu.push.example/send/1')).toBe(true)
  const inside = ['10.1.2.3', '127.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '::1']
  for (const address of [
    ...inside,
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '2002:0a00:0001::1',
    '240.0.0.1',
  ])
    expect(isPublicAddress(address), address).toBe(false)
  for (const address of ['142.250.1.1', '2a00:1450:4001:80b::200a', '172.32.0.1'])
    expect(isPublicAddress(address), address).toBe(true)
})

/** Whether the header holds a token for this service, signed with the club's key (RFC 8292). */
function isSignedByUs(authorization: string) {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }
  const raw = Buffer.from(vapid.publicKey, 'base64url')
  const publicKey = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: raw.subarray(1, 33).toString('base64url'),
      y: raw.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  })
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return signed && aud === origin && key === vapid.publicKey
}
