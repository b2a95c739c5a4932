// The ten callers of the table of rights, and what each of them sends to a call. Every call gets members and
// things of its own, so no call changes what another one finds.
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { callers } from '#contract/rights.ts'
import type { Caller, FilePath } from '#contract/rights.ts'
import { sessionCookie } from '#server/accounts/cookies.ts'
import { readConfig } from '#server/kit/config.ts'
import type { Ctx, Kit, Member, MemberCtx } from '#server/kit/ctx.ts'
import { actAs, newId, systemCtx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import type { Database } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { takeTicket } from '#server/matching/lottery.ts'
import { findCurrentOffer } from '#server/matching/reads.ts'
import { addProductOf, consent } from '#server/matching/testing.ts'
import { makeExport } from '#server/privacy/export.ts'
import { fernmarkt, why } from '#server/products/testing.ts'
import { reactions } from '#server/reactions.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { reportReview } from '#server/moderation/reports.ts'
import { decided, decisionsOf, explanation, reported } from '#server/moderation/testing.ts'
import {
  accepted,
  orderId,
  purchased,
  readyProof,
  submission,
  submitted,
  uploadProof,
} from '#server/reviews/testing.ts'
import type { Browser } from '#server/testing/browser.ts'
import { origin, useOwnProduct } from './product.ts'

/** One of the ten, with a login session that is not fresh. */
export type Person = { id: string; ctx: MemberCtx; browser: Browser }

/** What a call is sent: the parts of its path and the rest. `file` is sent as a form. */
export type Input = Record<string, unknown> & { file?: Blob }

type Given = { me: Person; club: Scene }

/** `as` takes ids, because one of the callers has no username. */
type Scene = {
  readonly system: Ctx
  as(id: string): Promise<MemberCtx>
  /** A member who takes part and has a product. */
  newSeller(): Promise<Person>
}

const authSecret = `rights-${randomBytes(32).toString('hex')}`

/** A product of its own, and how to make its callers. */
export function useCallers() {
  const product = useOwnProduct(() => ({ AUTH_SECRET: authSecret }))
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: authSecret, PUBLIC_ORIGIN: origin })
  const log = openLog('test', 'silent')
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const state = {} as { database: Database; system: Ctx }
  let count = 0

  beforeAll(async () => {
    // Nothing is matched, mailed or expired while the calls are asked.
    await product.stopWorker()
    state.database = openDatabase(product.connection, { name: 'test', log, max: callers.length })
    const { db } = state.database
    const kit: Kit = {
      db,
      files: openFiles({ dataDir: product.dataDir }),
      reactions,
      jobs: { send: async () => {}, stop: async () => {} },
    }
    state.system = systemCtx(kit, config, log)
    await sql`insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
        next_check_on, verified_purchase_word, disclosure)
      values (${newId()}, 'Makerlane', 'makerlane.example', 'public', 'https://makerlane.example/policy',
        'Allowed.', 'staff', current_date, current_date + 90, 'Verified',
        'I belong to a review exchange and bought this with a discount code; my opinion is my own.')`.execute(
      db,
    )
  })
  afterAll(async () => {
    agent.destroy()
    await state.database.close()
  })

  const scene: Scene = {
    get system() {
      return state.system
    },
    async as(id) {
      const { role, twoFactorEnabled: twoFactor } = await state.system.db
        .selectFrom('members')
        .select(['role', 'twoFactorEnabled'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return actAs(state.system, { id, role, twoFactor, sessionId: null })
    },
    async newSeller() {
      const seller = await newPerson('owner')
      await addProductOf(seller.ctx, `p-${seller.id}`)
      return seller
    },
  }

  /** A new member of this kind; for a visitor, a browser without a login session. */
  async function newPerson(caller: Caller, { twoFactor = true } = {}): Promise<Person> {
    count += 1
    const browser = product.visitor(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`, agent)
    const role = caller === 'support' || caller === 'admin' ? caller : 'user'
    const who: Member = { id: newId(), role, sessionId: null, twoFactor: twoFactor && role !== 'user' }
    const ctx = actAs(state.system, who)
    if (caller === 'visitor') return { id: who.id, ctx, browser }
    const token = randomBytes(32).toString('base64url')
    await insertMember(state.system, { caller, who, token, name: `right-${count}` })
    const [pair = ''] = sessionCookie(config, token).split(';')
    browser.jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    return { id: who.id, ctx, browser }
  }

  return { product, scene, newPerson }
}

type NewMember = { caller: Caller; who: Member; token: string; name: string }

async function insertMember({ db }: Ctx, { caller, who, token, name }: NewMember) {
  const day = sql`interval '1 day'`
  const paused = caller === 'paused'
  await sql`
    with person as (
      insert into members (id, email, email_verified, username, display_name, role, two_factor_enabled,
        suspended_at)
      values (${who.id}, ${`${name}@mail.example`}, ${caller !== 'unverified'},
        ${caller === 'unnamed' ? null : name}, ${name}, ${who.role}, ${who.twoFactor},
        ${caller === 'suspended' ? sql`clock_timestamp()` : null})
      returning id
    ), membership as (
      insert into memberships (member_id, status, source, current_period_end, started_at, paused_from,
        paused_until)
      select id, ${caller === 'unpaid' ? 'none' : 'active'}, 'grant', clock_timestamp() + 20 * ${day},
        clock_timestamp(), ${paused ? sql`clock_timestamp() - ${day}` : null},
        ${paused ? sql`clock_timestamp() + ${day}` : null} from person
    ), standing as (
      insert into reviewer_states (member_id, standing, audit_key)
      select id, ${standingOf(caller)}, ${randomBytes(32)} from person
    )
    insert into sessions (id, token, member_id, expires_at, confirmed_at)
    select ${newId()}, ${token}, id, clock_timestamp() + interval '1 hour',
      clock_timestamp() - interval '11 minutes' from person`.execute(db)
}

function standingOf(caller: Caller) {
  if (caller === 'paused') return 'paused'
  return ['unverified', 'unnamed', 'unpaid', 'suspended'].includes(caller) ? 'out' : 'in'
}

/** Makes the login session of this person fresh. */
export async function confirm({ id, ctx }: Person) {
  await sql`update sessions set confirmed_at = clock_timestamp() where member_id = ${id}`.execute(ctx.db)
}

/**
 * What to send to a call whose input cannot be made up from its schema, names a thing by its id, or needs
 * something to be there. All of it belongs to `me`. Every call that answers NOT_FOUND to another member has
 * to be here.
 */
export const inputs: Record<string, (given: Given) => Promise<Input>> = {
  'members.uploadAvatar': async () => ({ file: await picture() }),
  'members.getMember': async ({ club }) => ({ username: await usernameOf(await club.newSeller()) }),
  'members.updatePreferences': async () => ({ locale: 'en-US', timeZone: 'Europe/Berlin' }),

  'accounts.endDevice': async ({ me }) => ({ id: await newSession(me) }),
  async 'signIn.unlinkProvider'({ me }) {
    await sql`insert into login_methods (id, member_id, provider_id, account_id)
      values (${newId()}, ${me.id}, 'oidc-0', ${me.id})`.execute(me.ctx.db)
    return {}
  },
  async 'signIn.renewRecoveryCodes'({ me }) {
    await sql`insert into two_factor_secrets (id, member_id, secret, backup_codes)
      values (${newId()}, ${me.id}, 'sealed', 'sealed')`.execute(me.ctx.db)
    return {}
  },
  'signIn.renamePasskey': async ({ me }) => ({ id: await newPasskey(me), name: 'My key' }),
  'signIn.removePasskey': async ({ me }) => ({ id: await newPasskey(me) }),
  'notifications.markNoticeRead': async ({ me }) => ({ id: await newNotice(me) }),
  'notifications.markNoticesRead': async ({ me }) => ({ ids: [await newNotice(me)] }),
  'notifications.addPushDevice': async () => ({
    endpoint: 'https://fcm.googleapis.com/fcm/send/x',
    keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
  }),
  'notifications.removePushDevice': async ({ me }) => ({ id: await newPushDevice(me) }),
  'notifications.testPush': async ({ me }) => ({ id: await newPushDevice(me) }),

  'products.getProduct': ownProduct,
  'products.archiveProduct': ownProduct,
  'products.restoreProduct': ownProduct,
  'products.archiveProducts': async (given) => ({ ids: [(await ownProduct(given)).id] }),
  'products.restoreProducts': async (given) => ({ ids: [(await ownProduct(given)).id] }),
  'products.moveProduct': async (given) => ({ ...(await ownProduct(given)), after: null }),
  'products.listProductExchanges': ownProduct,
  'products.setImageFocus': async (given) => ({ ...(await ownPicture(given)), x: 10, y: 90 }),
  'products.deleteProduct': ownProduct,
  'products.addProduct': async () => ({ ...productFields, couponLink: couponLinkOf('a-new-one') }),
  'products.editProduct': async (given) => ({ ...(await ownProduct(given)), ...productFields }),
  'products.uploadProductImage': async (given) => ({ ...(await ownProduct(given)), file: await picture() }),
  'reviews.showReviewCards': async (given) => ({ ...(await ownProduct(given)), shown: true }),
  'products.consentToMarketplace': async ({ me }) => ({ id: await marketplaceOf(me), policyVersion: 1 }),

  'discover.getLiveProduct': async ({ club }) => ({ id: await publicIdOf(await club.newSeller()) }),

  'matching.markUnwanted': async ({ club }) => ({ productId: await publicIdOf(await club.newSeller()) }),
  'matching.takeBackUnwanted': async ({ me }) => ({ id: await newMark(me) }),
  'matching.takeTicket': async (given) => ({ productId: (await ownProduct(given)).id }),
  'matching.requestReview': async (given) => {
    const productId = (await ownProduct(given)).id
    return { productId, ticket: (await takeTicket(given.me.ctx, productId)).ticket, nonce: '00'.repeat(16) }
  },
  'matching.addAskAlert': async (given) => ({ id: (await ownProduct(given)).id }),
  'matching.cancelRequest': ownRequest,
  'matching.getRequest': ownRequest,
  'matching.explainWait': ownRequest,
  'matching.explainOffer': openedOffer,
  'matching.respondToOffer': async (given) => ({ ...(await ownOffer(given)), accept: false }),
  'matching.setOfferAside': ownOffer,
  'organization.saveShop': async ({ me }) => ({
    name: 'A shop',
    address: `https://makerlane.example/shop/${me.id}`,
  }),
  'organization.removeShop': async ({ me }) => ({ id: await newShop(me) }),
  'organization.addDeclaration': async ({ me }) => ({
    kind: 'competitor',
    named: `https://makerlane.example/shop/of-${me.id}`,
  }),
  'organization.removeDeclaration': async ({ me }) => ({ id: await newDeclaration(me) }),
  'organization.keepDeclaration': async ({ me }) => ({ id: await newDeclaration(me, { ended: true }) }),
  'organization.answerHousehold': newHousehold,
  'matching.setAskingHours': async () => ({
    hours: { days: [1, 2], from: 540, until: 1020 },
    timeZone: 'UTC',
  }),
  'matching.allowFormat': async ({ me }) => ({ id: await newUnusableFormat(me) }),

  'support.getMyMessage': ownMessage,
  'support.replyToAnswer': async (given) => ({ ...(await ownMessage(given)), message: 'One more thing.' }),

  'health.clearBouncedAddress': async () => ({ key: '0'.repeat(64), reason: 'It works again.' }),
  'marketplaces.readTestLink': async () => ({ entry: linkEntryOf(fernmarkt), link: couponLinkOf('1') }),
  'marketplaces.addMarketplace': async () => ({ entry: newEntry(), reason: why }),
  'marketplaces.editMarketplace': async () => ({ ...noEntry(), entry: newEntry(), reason: why }),
  'marketplaces.checkMarketplace': async () => ({
    ...noEntry(),
    policySentence: fernmarkt.policySentence,
    readBy: 'Ada',
    nextCheckOn: '2027-01-01',
    reason: why,
  }),
  'marketplaces.closeMarketplace': async () => ({ id: newId(), reason: why, reviews: 'finish' }),
  'marketplaces.reopenMarketplace': async () => ({ id: newId(), reason: why, lane: 'public' }),

  'reviews.getReview': reviewToWrite,
  'reviews.openCoupon': reviewToWrite,
  'reviews.proveByOrder': async (given) => ({
    ...(await reviewToWrite(given)),
    orderId: orderId(),
    paidCents: 50,
  }),
  'reviews.proveByFile': async (given) => ({
    ...(await reviewToWrite(given)),
    file: await picture(),
    paidCents: '50',
  }),
  'reviews.saveDraft': async (given) => ({ ...(await reviewToWrite(given)), draft, basedOn: null }),
  'reviews.checkReviewText': async (given) => ({ ...(await reviewToWrite(given)), text: 'Some words.' }),
  async 'reviews.submitReview'({ me, club }) {
    const seller = await club.newSeller()
    return submission(await purchased(club, seller.id, me.id))
  },
  'reviews.getReceivedReview': receivedReview,
  'reviews.confirmReview': receivedReview,
  'reviews.amendReview': async (given) => ({
    ...(await reviewToWrite(given)),
    text: 'Some words.',
    usedFor: '',
    notFor: '',
    posted: true,
    postedLink: null,
  }),
  'moderation.reportReview': async (given) => ({
    ...(await receivedReview(given)),
    reason: 'not_visible',
    explanation,
  }),
  'moderation.reportListing': async (given) => ({
    ...(await reviewToWrite(given)),
    reason: 'broken',
    explanation,
  }),
  'moderation.withdrawReport': async (given) => ({ id: (await ownReport(given)).reportId }),
  'moderation.findMyCase': reviewToWrite,
  'moderation.standByReview': async (given) => ({ id: (await returnedReview(given)).reviewId, explanation }),
  'moderation.getDecision': async (given) => ({ id: (await returnedReview(given)).decisionId }),
  'moderation.appealDecision': async (given) => ({
    id: (await returnedReview(given)).decisionId,
    explanation,
  }),

  '/proofs/:id': ownProof,
  '/account/export/:id/download': ownExport,
  '/billing/invoices/:id/pdf': ownInvoice,
  '/draws/:id/receipt.json': ownRequest,
  '/draws/passes/:id': newPass,
}

/** How each file is asked for. */
export const fileMethods: Record<FilePath, 'GET' | 'POST'> = {
  '/proofs/:id': 'GET',
  '/account/export/:id/download': 'POST',
  '/billing/invoices/:id/pdf': 'GET',
  '/draws/:id/receipt.json': 'GET',
  '/draws/passes/:id': 'GET',
  '/ledger.csv': 'GET',
  '/ledger/statement.json': 'GET',
  '/analytics.csv': 'GET',
  '/admin/users.csv': 'GET',
  '/admin/support.csv': 'GET',
  '/admin/logs.csv': 'GET',
  '/admin/money.csv': 'GET',
  '/admin/ledger.csv': 'GET',
}

const noEntry = () => ({ id: newId(), version: 1 })

/** An entry that is not on the list yet. */
function newEntry() {
  const name = `m-${newId()}`
  return { ...fernmarkt, name, host: `${name}.example` }
}

function linkEntryOf({
  name,
  host,
  listingPaths,
  listingIdForm,
  couponParameter,
  couponForms,
}: typeof fernmarkt) {
  return { name, host, listingPaths, listingIdForm, couponParameter, couponForms }
}

const draft = { rating: null, text: '', usedFor: '', notFor: '', aiAssisted: false }
const couponLinkOf = (id: string) => `https://makerlane.example/listing/${id}?coupon=EVEN`
const productFields = { title: 'A planner', category: 'tool', couponLink: couponLinkOf('4711') }

async function ownProduct({ me }: Given) {
  return { id: await addProductOf(me.ctx, `p-${newId()}`) }
}

async function ownPicture({ me }: Given) {
  const id = await addProductOf(me.ctx, `p-${newId()}`)
  const imageId = newId()
  await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes)
    values (${imageId}, ${me.id}, ${newFileKey()}, '{320}', 320, 240, 1)`.execute(me.ctx.db)
  await sql`update products set image_id = ${imageId} where id = ${id}`.execute(me.ctx.db)
  return { id }
}

async function publicIdOf({ id, ctx }: Person) {
  const { rows } = await sql<{ publicId: string }>`
    select public_id from products where seller_id = ${id} limit 1`.execute(ctx.db)
  return rows[0]?.publicId ?? ''
}

async function ownRequest({ me }: Given) {
  const productId = await addProductOf(me.ctx, `p-${newId()}`)
  return { id: await newRequest(me.ctx, productId) }
}

/** An open offer of another member's request. */
async function openedOffer(given: Given) {
  const { queueId } = await ownOffer(given)
  await findCurrentOffer(given.me.ctx)
  return { id: queueId }
}

async function ownOffer({ me, club }: Given) {
  const seller = await club.newSeller()
  const productId = await addProductOf(seller.ctx, `p-${newId()}`)
  const queueId = await newRequest(seller.ctx, productId)
  const offerId = newId()
  await sql`
    with offered as (
      update review_queue set status = 'offered', offered_to = ${me.id}, offered_at = clock_timestamp(),
        offer_expires_at = clock_timestamp() + interval '30 minutes' where id = ${queueId}
      returning id, seller_id, product_id, offered_at, offer_expires_at
    ), offer as (
      insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at, snapshot)
      select ${offerId}, q.id, ${me.id}, q.seller_id, 'open', true, offered_at, offer_expires_at,
        product_snapshot(p) from offered q join products p on p.id = q.product_id
    )
    update reviewer_states set open_offer_id = ${offerId} where member_id = ${me.id}`.execute(me.ctx.db)
  return { queueId }
}

async function newRequest({ db }: Ctx, productId: string) {
  const id = newId()
  await sql`
    insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, lottery_day,
      lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
    select ${id}, p.id, p.listing_id, p.seller_id, 'queued', clock_timestamp(), current_date,
      nextval('lottery_tickets'), '\\x00', '\\x00', '\\x00'
    from products p where p.id = ${productId}`.execute(db)
  await sql`update reviewer_states s set open_requests = open_requests + 1 from products p
    where p.id = ${productId} and s.member_id = p.seller_id`.execute(db)
  return id
}

async function newPass({ me }: Given) {
  const id = newId()
  await sql`insert into match_passes (id, chain, pass_no, at, phase, requests, candidates, matched,
      list, hash)
    values (${id}, ${id}, 1, clock_timestamp(), 0, 1, 0, 0, '', ${randomBytes(32)})`.execute(me.ctx.db)
  return { id }
}

async function reviewToWrite({ me, club }: Given) {
  const seller = await club.newSeller()
  await consent(me.ctx)
  return { id: (await accepted(club, seller.id, me.id)).id }
}

async function ownProof(given: Given) {
  const { id } = await reviewToWrite(given)
  const { proofId } = await uploadProof(given.me.ctx, { id, proof: readyProof(), paidCents: 50 })
  return { id: proofId }
}

/** An archive that is ready, with the secret of its mail. */
async function ownExport({ me: { id: memberId, ctx } }: Given) {
  const id = newId()
  await sql`insert into data_exports (id, member_id, file_key)
    values (${id}, ${memberId}, ${newFileKey()})`.execute(ctx.db)
  await makeExport(ctx, id)
  const { rows } = await sql<{ token: string }>`
    select props ->> 'token' as token from mails
    where member_id = ${memberId} and template = 'export-ready'`.execute(ctx.db)
  return { id, token: rows[0]?.token }
}

async function ownInvoice({ me: { id: memberId, ctx } }: Given) {
  const id = newId()
  await sql`insert into invoices (id, member_id, stripe_invoice_id, status, total_cents, tax_cents, made_at,
      paid_at, period_start, period_end, has_pdf)
    values (${id}, ${memberId}, ${`in_${id}`}, 'paid', 800, 0, clock_timestamp(), clock_timestamp(),
      clock_timestamp(), clock_timestamp() + interval '1 month', true)`.execute(ctx.db)
  return { id }
}

async function receivedReview({ me, club }: Given) {
  const reviewer = await club.newSeller()
  await addProductOf(me.ctx, `p-${newId()}`)
  return { id: (await submitted(club, me.id, reviewer.id)).id }
}

async function ownReport(given: Given) {
  const { id } = await receivedReview(given)
  return reportReview(given.me.ctx, { id, reason: 'copied', explanation })
}

/** A review of mine that a member of staff returned. */
async function returnedReview({ me, club }: Given) {
  const [seller, clerk] = [await club.newSeller(), await club.newSeller()]
  const review = await submitted(club, seller.id, me.id)
  const id = await reported(review)
  await decideCase(clerk.ctx, decided(id, { outcome: 'returned', rule: 'other_product' }))
  const [decision] = await decisionsOf(me.ctx, id)
  return { reviewId: review.id, decisionId: decision?.id ?? '' }
}

async function ownMessage({ me }: Given) {
  const id = newId()
  await sql`insert into support_messages (id, member_id, name, email, category, subject, message, via)
    values (${id}, ${me.id}, 'Name', 'name@mail.example', 'other', 'A question', 'A text',
      'account')`.execute(me.ctx.db)
  return { id }
}

async function usernameOf({ ctx, id }: Person) {
  const { username } = await ctx.db
    .selectFrom('members')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return username ?? ''
}

async function newSession({ id, ctx }: Person) {
  const sessionId = newId()
  const token = randomBytes(32).toString('base64url')
  await sql`insert into sessions (id, token, member_id, expires_at)
    values (${sessionId}, ${token}, ${id}, clock_timestamp() + interval '1 hour')`.execute(ctx.db)
  return sessionId
}

async function newPasskey({ id, ctx }: Person) {
  const passkeyId = newId()
  await sql`insert into passkeys (id, member_id, name, public_key, credential_id, counter, device_type,
      backed_up)
    values (${passkeyId}, ${id}, 'Key', 'key', ${passkeyId}, 0, 'singleDevice', false)`.execute(ctx.db)
  return passkeyId
}

async function newPushDevice(me: Person) {
  const id = newId()
  await sql`insert into push_devices (id, member_id, session_id, endpoint, p256dh, auth)
    values (${id}, ${me.id}, ${await newSession(me)}, ${`https://fcm.googleapis.com/fcm/send/${id}`},
      ${'B'.repeat(87)}, ${'a'.repeat(22)})`.execute(me.ctx.db)
  return id
}

async function newNotice({ id, ctx }: Person) {
  const noticeId = newId()
  await sql`insert into notices (id, member_id, dedupe_key, title, message, priority)
    values (${noticeId}, ${id}, ${noticeId}, 'A notice', 'A message', 'low')`.execute(ctx.db)
  return noticeId
}

async function newMark({ id, ctx }: Person) {
  const markId = newId()
  await sql`insert into unwanted_offers (id, member_id, category) values (${markId}, ${id}, 'tool')`.execute(
    ctx.db,
  )
  return markId
}

async function newUnusableFormat({ id, ctx }: Person) {
  const formatId = newId()
  await sql`insert into unusable_formats (id, member_id, category, format)
    values (${formatId}, ${id}, 'tool', 'pdf')`.execute(ctx.db)
  return formatId
}

async function newShop({ id, ctx }: Person) {
  const shopId = newId()
  await sql`insert into shops (id, member_id, marketplace_id, name, address)
    select ${shopId}, ${id}, id, 'A shop', ${`makerlane.example/shop/${id}`} from marketplaces
    where host = 'makerlane.example'`.execute(ctx.db)
  return shopId
}

async function newDeclaration({ id, ctx }: Person, { ended = false } = {}) {
  const declarationId = newId()
  const address = `makerlane.example/shop/of-${declarationId}`
  await sql`insert into declarations (id, member_id, kind, address, named_as, ends_at)
    values (${declarationId}, ${id}, 'competitor', ${address}, ${address},
      case when ${ended} then clock_timestamp() + interval '1 day' end)`.execute(ctx.db)
  return declarationId
}

/** A member who says that this one belongs to their household. */
async function newHousehold({ me, club }: Given) {
  const declarationId = newId()
  const { id: by } = await club.newSeller()
  await sql`insert into declarations (id, member_id, kind, about_member_id, named_as)
    values (${declarationId}, ${by}, 'household', ${me.id}, 'named')`.execute(me.ctx.db)
  return { id: declarationId, belongs: true }
}

async function marketplaceOf({ ctx }: Person) {
  const { id } = await ctx.db.selectFrom('marketplaces').select('id').executeTakeFirstOrThrow()
  return id
}

/** A picture like no other one. */
async function picture() {
  const bytes = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' })
}

/** An input that this schema accepts, made up from it; undefined when that is not possible. */
export function madeUp(schema: z.ZodType | undefined): Input | undefined {
  if (!schema) return {}
  const made = valueOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return schema.safeParse(made).success ? (made as Input) : undefined
}

type JsonSchema = z.core.JSONSchema.JSONSchema

function valueOf(schema: JsonSchema): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (typeof first === 'object') return valueOf(first)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object') {
    const all = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
    return Object.fromEntries(
      all.map(([name, of]) => [name, typeof of === 'object' ? valueOf(of) : undefined]),
    )
  }
  if (schema.type === 'array') return []
  if (schema.type === 'string') return textOf(schema)
  if (schema.type === 'boolean') return false
  return schema.type === 'null' ? null : (schema.minimum ?? 0)
}

function textOf({ format, minLength = 0 }: JsonSchema) {
  if (format === 'uuid') return newId()
  if (format === 'date-time') return '2026-11-01T12:00:00Z'
  return format === 'date'
    ? '2026-11-01'
    : 'word '
        .repeat(Math.ceil(minLength / 5))
        .trim()
        .padEnd(minLength, 'x')
}
