// Fills an empty database with the demo club: its members, their products, and ninety days of exchanges. One
// transaction, so that an interrupted start begins again and two concurrent starts seed once.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import { activeBonusHours, isHonestReason, purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import { demoMembershipDays } from '#contract/membership.ts'
import { plainText } from '#contract/markdown.ts'
import { readCouponLink, summaryLength } from '#contract/products.ts'
import { withDisclosure } from '#contract/review-text.ts'
import { confirmHours } from '#contract/reviews.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import type { Config } from '#server/kit/config.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import type { Files } from '#server/kit/uploads/files.ts'
import { openLog } from '#server/kit/log.ts'
import { lotteryKey, ticketCommitment, ticketSecret } from '#contract/draw.ts'
import { refreshFigures } from '#server/matching/figures.ts'
import { refreshTiers } from '#server/matching/tiers.ts'
import { countExchanges } from '#server/products/discover.ts'
import { imageWidths } from '#server/products/images.ts'
import { cast, demoLogins, demoPassword } from './cast.ts'
import { drawnDayAt, playDrawnDay } from './drawn-day.ts'
import { playHistory } from './history.ts'
import { makeRandom } from './random.ts'
import type { History } from './history.ts'
import type { PastRequest, PastReview } from './past.ts'
import { storePictures } from './pictures.ts'
import type { StoredPicture } from './pictures.ts'
import { marketplace, products } from './products.ts'
import { notificationsOf } from './notifications.ts'
import { addStaffCases } from './staff-cases.ts'
import { addStaffMorning } from './staff-morning.ts'

type SeedOptions = {
  dataDir?: string
  /** The bucket that gets the pictures instead. */
  s3?: Config['s3']
  withPictures?: boolean
  /** Seals the second factors of the staff; without it they have none. */
  config?: Config
}

export type DemoLogin = { email: string; password: string; who: string }

/**
 * Seeds the demo club if there is no member yet; otherwise changes nothing. Returns the accounts to sign in
 * with that exist. For demo mode only, because every password is public. Pictures go to `dataDir`, by default
 * that of the environment; tests that do not look at them leave them out.
 */
export async function seedIfEmpty(
  connection: Connection,
  { dataDir = process.env.DATA_DIR || './data', s3 = null, withPictures = true, config }: SeedOptions = {},
): Promise<{ logins: DemoLogin[] }> {
  const database = openDatabase(connection, { name: 'evenhand-seed', log: openLog('seed', 'silent'), max: 1 })
  try {
    return await database.db.transaction().execute(async (db) => {
      // A second start waits for the first one's pictures.
      await sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(db)
      await sql`select pg_advisory_xact_lock(hashtextextended('demo-seed', 0))`.execute(db)
      const { rows } = await sql<{
        empty: boolean
      }>`select not exists (select from members) as empty`.execute(db)
      if (rows[0]?.empty) await seed(db, withPictures ? openFiles({ dataDir, s3 }) : null, config ?? null)
      return { logins: await readLogins(db) }
    })
  } finally {
    await database.close()
  }
}

async function readLogins(db: Kysely<DB>): Promise<DemoLogin[]> {
  const there = await db
    .selectFrom('members')
    .select('email')
    .where(
      'email',
      'in',
      demoLogins.map(({ email }) => email),
    )
    .execute()
  return demoLogins
    .filter(({ email }) => there.some((one) => one.email === email))
    .map(({ email, as }) => ({ email, password: demoPassword, who: `As ${as}` }))
}

async function seed(db: Kysely<DB>, files: Files | null, config: Config | null) {
  const stored = files ? storePictures(files) : []
  const [pictures, password] = await Promise.all([stored, hashPassword(demoPassword)])
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  const now = Date.parse(rows[0]?.now ?? '')
  const history = playHistory({ minutesToday: (now % 864e5) / 60_000 })
  const club = layOut(history, now)
  await addPeople(db, club, password)
  await addProducts(db, club, pictures)
  await addRotation(db, club)
  if (config) await playDrawnDay(db, config, now, takingPart(club, drawnDayAt(now)))
  await addExchanges(db, club)
  await addNotifications(db, club)
  await addStandings(db, club)
  // The modules' functions used here need only the database of a context.
  const ctx = { db } as Ctx
  await refreshTiers(ctx, [...club.memberIds.values()])
  await refreshFigures(ctx)
  await countExchanges(ctx)
  await addStaffMorning(db, config)
  if (config && files) await addStaffCases(db, config, files)
}

/** The history, with the moments and ids that it is stored under. */
type Club = {
  history: History
  random: () => number
  moment(minutes: number): string
  day(minutes: number): string
  memberIds: Map<string, string>
  memberId(username: string): string
  productId(slug: string): string
  listingId(slug: string): string
  marketplaceId: string
  requests: { request: PastRequest; id: string; reviewId: string; offerIds: string[] }[]
}

function layOut(history: History, now: number): Club {
  const random = makeRandom(7)
  const at = (minutes: number) => Math.round(now + minutes * 60_000)
  const joined = (username: string) => history.joinedAt.get(username) ?? -201 * 1440
  const memberIds = new Map(cast.map(({ username }) => [username, idOf(at(joined(username)))]))
  const productIds = new Map(products.map(({ slug }) => [slug, idOf(at(history.listedAt.get(slug) ?? 0))]))
  const listingIds = new Map(products.map(({ slug }) => [slug, idOf(at(history.listedAt.get(slug) ?? 0))]))
  return {
    history,
    random,
    memberIds,
    marketplaceId: idOf(at(-202 * 1440)),
    moment: (minutes) => new Date(at(minutes)).toISOString(),
    day: (minutes) => new Date(at(minutes)).toISOString().slice(0, 10),
    memberId: (username) => memberIds.get(username) ?? '',
    productId: (slug) => productIds.get(slug) ?? '',
    listingId: (slug) => listingIds.get(slug) ?? '',
    requests: history.requests.map((request) => ({
      request,
      id: idOf(at(request.createdAt)),
      reviewId: idOf(at(request.review?.acceptedAt ?? 0)),
      offerIds: request.offers.map(({ offeredAt }) => idOf(at(offeredAt))),
    })),
  }
}

/** A UUID of version 7 for a row of that time, so that rows are stored in the order of their creation. */
function idOf(time: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(time, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

async function addPeople(db: Kysely<DB>, club: Club, password: string) {
  const { moment, memberId, history } = club
  const joined = (username: string) => moment(history.joinedAt.get(username) ?? -201 * 1440)
  await insert(db, 'marketplaces', [
    {
      id: club.marketplaceId,
      name: marketplace.name,
      host: marketplace.host,
      image_hosts: marketplace.imageHosts,
      lane: marketplace.lane,
      policy_url: marketplace.policyUrl,
      policy_sentence: marketplace.policySentence,
      policy_version: 1,
      read_by: 'ada',
      read_on: club.day(-30 * 1440),
      next_check_on: club.day(60 * 1440),
      coupon_prices: marketplace.allowedCouponPricesCents,
      listing_paths: marketplace.listingPaths,
      listing_id_form: marketplace.listingIdForm,
      coupon_parameter: marketplace.couponParameter,
      coupon_forms: marketplace.couponForms,
      disclosure: marketplace.disclosure,
      verified_purchase_word: marketplace.verifiedPurchaseWord,
      created_at: moment(-202 * 1440),
    },
  ])
  await insert(
    db,
    'members',
    cast.map(({ username, email, displayName, fullName, role }) => ({
      id: memberId(username),
      email,
      email_verified: true,
      username,
      role,
      display_name: displayName,
      full_name: fullName,
      created_at: joined(username),
      updated_at: joined(username),
    })),
  )
  await insert(
    db,
    'login_methods',
    cast.map(({ username }) => ({
      id: idOf(Date.parse(joined(username))),
      member_id: memberId(username),
      password,
      provider_id: 'credential',
      account_id: memberId(username),
      created_at: joined(username),
      updated_at: joined(username),
    })),
  )
  await insert(
    db,
    'memberships',
    cast.map(({ username, standing }, place) => ({
      member_id: memberId(username),
      status: 'active',
      source: 'demo',
      // Periods end on different days, and never on the day of the seed.
      current_period_end: moment((2 + ((place * 7) % (demoMembershipDays - 2))) * 1440),
      started_at: joined(username),
      updated_at: joined(username),
      paused_from: standing === 'paused' ? moment(history.pausedFrom) : null,
      paused_until: standing === 'paused' ? moment(history.pausedUntil) : null,
    })),
  )
  await insert(
    db,
    'marketplace_consents',
    cast.map(({ username }) => ({
      member_id: memberId(username),
      marketplace_id: club.marketplaceId,
      policy_version: 1,
      consented_at: moment((history.joinedAt.get(username) ?? -201 * 1440) + 12),
    })),
  )
}

async function addProducts(db: Kysely<DB>, club: Club, pictures: StoredPicture[]) {
  const listed = products.map((product) => ({
    product,
    at: club.moment(club.history.listedAt.get(product.slug) ?? 0),
    picture: pictures.find(({ slug }) => slug === product.slug),
    imageId: idOf(Date.now()),
  }))
  await insert(
    db,
    'images',
    listed.flatMap(({ product, at, picture, imageId }) =>
      picture
        ? {
            id: imageId,
            owner_id: club.memberId(product.seller),
            file_key: picture.fileKey,
            widths: imageWidths,
            width: picture.width,
            height: picture.height,
            bytes: picture.bytes,
            created_at: at,
          }
        : [],
    ),
  )
  await insert(
    db,
    'listings',
    listed.map(({ product, at }) => ({
      id: club.listingId(product.slug),
      marketplace_id: club.marketplaceId,
      external_id: readCouponLink(product.couponLink, [marketplace])?.listing,
      created_at: at,
    })),
  )
  await insert(
    db,
    'products',
    listed.map(({ product, at, picture, imageId }) => ({
      id: club.productId(product.slug),
      seller_id: club.memberId(product.seller),
      marketplace_id: club.marketplaceId,
      listing_id: club.listingId(product.slug),
      title: product.title,
      category: product.category,
      coupon_link: product.couponLink,
      price_cents: product.priceCents,
      coupon_cents: product.couponPriceCents,
      description: product.description,
      summary: plainText(product.description, summaryLength),
      tags: product.tags,
      image_id: picture ? imageId : null,
      created_at: at,
      updated_at: at,
    })),
  )
  await insert(
    db,
    'activity_logs',
    listed.map(({ product, at }) => ({
      id: idOf(Date.parse(at)),
      member_id: club.memberId(product.seller),
      action: 'product_connected',
      metadata: {
        productId: club.productId(product.slug),
        productName: product.title,
        platform: marketplace.name,
        couponUrl: product.couponLink.replace(/\?.*/, '?…'),
      },
      created_at: at,
    })),
  )
}

/** Everyone in the rotation, as on the day they joined. */
async function addRotation(db: Kysely<DB>, { moment, memberId, history }: Club) {
  await insert(
    db,
    'reviewer_states',
    cast.map(({ username, standing }) => ({
      member_id: memberId(username),
      standing: standing === 'paused' ? 'paused' : 'in',
      turn_at: moment(history.joinedAt.get(username) ?? -201 * 1440),
      audit_key: hex(createHmac('sha256', randomBytes(32)).update(username).digest()),
    })),
  )
}

const drawnMembers = 8

/** The first members of the cast with a product that the history asks for on another day than this. */
function takingPart({ history, day, memberId, productId }: Club, drawnDay: string) {
  const free = cast.flatMap(({ username, role, standing }) => {
    if (role !== 'user' || standing === 'paused') return []
    const product = products.find(
      ({ slug, seller }) =>
        seller === username &&
        day(history.listedAt.get(slug) ?? 0) < drawnDay &&
        history.requests.every((one) => one.product.slug !== slug || day(one.createdAt) !== drawnDay),
    )
    return product ? [{ memberId: memberId(username), productId: productId(product.slug) }] : []
  })
  return free.slice(0, drawnMembers)
}

async function addExchanges(db: Kysely<DB>, club: Club) {
  const { requests, moment, memberId, productId, listingId } = club
  const tickets = await drawTickets(db, club)
  await insert(
    db,
    'review_queue',
    requests.map(({ request, id }) => {
      const accepted = request.review
      const offer = request.offers.find(({ state }) => state === 'accepted')
      const completed = request.status === 'completed'
      return {
        id,
        product_id: productId(request.product.slug),
        listing_id: listingId(request.product.slug),
        seller_id: memberId(request.product.seller),
        status: request.status,
        created_at: moment(request.createdAt),
        prio_at: moment(placeOf(club, request)),
        offered_to: accepted ? memberId(accepted.reviewer) : null,
        offered_at: offer ? moment(offer.offeredAt) : null,
        offer_expires_at: offer ? moment(offer.expiresAt) : null,
        reviewer_id: accepted ? memberId(accepted.reviewer) : null,
        accepted_at: accepted ? moment(accepted.acceptedAt) : null,
        completed_at: completed ? moment(accepted?.verifiedAt ?? 0) : null,
        closed_at: request.closedAt === null ? null : moment(request.closedAt),
        attempts: request.offers.length,
        ...tickets.get(request),
      }
    }),
  )
  await insert(
    db,
    'offers',
    requests.flatMap(({ request, id, offerIds }) =>
      request.offers.map((offer, nth) => ({
        id: offerIds[nth],
        queue_id: id,
        reviewer_id: memberId(offer.reviewer),
        seller_id: memberId(request.product.seller),
        state: offer.state,
        reason: offer.reason,
        live: offer.expiresAt - offer.offeredAt < 60,
        offered_at: moment(offer.offeredAt),
        expires_at: moment(offer.expiresAt),
        seen_at: offer.state === 'expired' ? null : moment((offer.offeredAt + offer.respondedAt) / 2),
        responded_at: moment(offer.respondedAt),
        snapshot: {},
      })),
    ),
  )
  await sql`update offers o set snapshot = product_snapshot(p)
    from review_queue q join products p on p.id = q.product_id where q.id = o.queue_id`.execute(db)
  await insert(
    db,
    'decline_history',
    requests.flatMap(({ request, offerIds }) =>
      request.offers.flatMap((offer, nth) =>
        offer.state === 'declined'
          ? {
              id: idOf(Date.parse(moment(offer.respondedAt))),
              reviewer_id: memberId(offer.reviewer),
              offer_id: offerIds[nth],
              reason: offer.reason,
              counted: !isHonestReason(offer.reason),
              cooldown_applied_minutes: offer.cooldown,
              created_at: moment(offer.respondedAt),
            }
          : [],
      ),
    ),
  )
  await sql`insert into owned_listings (member_id, listing_id, created_at)
    select o.reviewer_id, q.listing_id, o.responded_at from offers o join review_queue q on q.id = o.queue_id
    where o.reason = 'already_own' on conflict do nothing`.execute(db)
  await addReviews(db, club)
}

/** Sellers who gave a review in the week before they asked are further ahead, as in the rotation. */
function placeOf({ requests }: Club, { product, placeAt }: PastRequest) {
  const gave = requests.some(
    ({ request: { review } }) =>
      review?.reviewer === product.seller &&
      review.verifiedAt !== null &&
      review.verifiedAt < placeAt &&
      review.verifiedAt > placeAt - 7 * 1440,
  )
  return gave ? placeAt - activeBonusHours * 60 : placeAt
}

/**
 * A secret for each day of the history and a ticket for each request. Until a review is completed, the
 * requests for a product have the same ticket.
 */
async function drawTickets(db: Kysely<DB>, { requests, day }: Club) {
  const days = new Set([...requests.map(({ request }) => day(request.createdAt)), day(0), day(1440)])
  const { rows: drawn } = await sql<{ day: string; secret: Buffer }>`
    select day::text, secret from lottery_days`.execute(db)
  const secrets = new Map<string, Buffer>([...days].map((one) => [one, randomBytes(32)]))
  for (const { day, secret } of drawn) secrets.set(day, secret)
  const missing = [...secrets].filter(([one]) => drawn.every(({ day }) => day !== one))
  await insert(
    db,
    'lottery_days',
    missing.map(([one, secret]) => ({
      day: one,
      secret: hex(secret),
      secret_hash: hex(createHash('sha256').update(secret).digest()),
    })),
  )
  const tickets = new Map<PastRequest, Record<string, string>>()
  for (const [place, { request }] of requests.entries()) {
    const last = requests.slice(0, place).findLast((one) => one.request.product === request.product)?.request
    const kept = last && last.status !== 'completed' ? tickets.get(last) : undefined
    tickets.set(request, kept ?? newTicket(secrets, day(request.createdAt), BigInt(drawnMembers + place + 1)))
  }
  await sql`select setval('lottery_tickets', ${drawnMembers + requests.length})`.execute(db)
  return tickets
}

function newTicket(secrets: Map<string, Buffer>, day: string, ticket: bigint) {
  const secret = secrets.get(day) ?? Buffer.alloc(32)
  const nonce = randomBytes(16)
  return {
    lottery_day: day,
    lottery_ticket: String(ticket),
    lottery_nonce: hex(nonce),
    lottery_commit: hex(ticketCommitment(ticketSecret(secret, ticket))),
    lottery_key: hex(lotteryKey(secret, ticket, nonce)),
  }
}

type Exchange = { request: PastRequest; review: PastReview; id: string; queueId: string }

async function addReviews(db: Kysely<DB>, club: Club) {
  const { moment, memberId, productId, listingId, random, requests } = club
  const exchanges: Exchange[] = requests.flatMap(({ request, id, reviewId }) =>
    request.review ? { request, review: request.review, id: reviewId, queueId: id } : [],
  )
  const handedIn = exchanges.filter(({ review }) => review.submittedAt !== null)
  const orders = new Map(exchanges.map(({ id }) => [id, orderNumber(random)]))
  await insert(
    db,
    'reviews',
    exchanges.map(({ request: { product }, review, id, queueId }) => {
      const { acceptedAt, purchasedAt, submittedAt, text } = review
      const at = (minutes: number | null) => (minutes === null ? null : moment(minutes))
      const link = submittedAt !== null && random() < 0.4
      return {
        id,
        queue_id: queueId,
        product_id: productId(product.slug),
        listing_id: listingId(product.slug),
        marketplace_id: club.marketplaceId,
        reviewer_id: memberId(review.reviewer),
        seller_id: memberId(product.seller),
        status: review.status,
        accepted_at: moment(acceptedAt),
        purchase_due_at: moment(acceptedAt + purchaseHours * 60),
        due_at: moment(acceptedAt + reviewHours * 60),
        coupon_opened_at: purchasedAt === null ? null : moment(purchasedAt - 3),
        coupon_opens: purchasedAt === null ? 0 : 1 + Math.floor(random() * 3),
        coupon_price_cents: purchasedAt === null ? null : product.couponPriceCents,
        purchased_at: at(purchasedAt),
        usable_from: at(review.usableFrom),
        submitted_at: at(submittedAt),
        confirm_due_at:
          review.status === 'reviewed' && submittedAt !== null
            ? moment(submittedAt + confirmHours * 60)
            : null,
        verified_at: at(review.verifiedAt),
        verified_by: review.verifiedBy,
        lapsed_at: at(review.lapsedAt),
        rating: text?.rating ?? null,
        body: text?.text ?? null,
        used_for: text?.usedFor ?? null,
        not_for: text?.notFor ?? null,
        ai_assisted: text !== null && random() < 0.12,
        disclosure: marketplace.disclosure,
        posted_link: link ? `https://${marketplace.host}/reviews/${orders.get(id)}` : null,
        draft: review.draft === null ? null : draftOf(review.draft),
        draft_saved_at: review.draft === null ? null : moment((purchasedAt ?? acceptedAt) + 6 * 60),
      }
    }),
  )
  await insert(
    db,
    'review_versions',
    handedIn.flatMap(({ review: { text, submittedAt }, id }) =>
      text === null || submittedAt === null
        ? []
        : {
            review_id: id,
            version: 1,
            rating: text.rating,
            created_at: moment(submittedAt),
            body: withDisclosure(marketplace.disclosure, text.text),
            ai_assisted: false,
            lane: 'public',
            used_for: text.usedFor,
            not_for: text.notFor,
          },
    ),
  )
  await sql`update review_versions v set ai_assisted = r.ai_assisted from reviews r
    where r.id = v.review_id`.execute(db)
  await insert(
    db,
    'proofs',
    exchanges.flatMap(({ review: { reviewer, purchasedAt }, id }) =>
      purchasedAt === null
        ? []
        : {
            id: idOf(Date.parse(moment(purchasedAt))),
            review_id: id,
            uploader_id: memberId(reviewer),
            kind: 'order',
            order_id: orders.get(id),
            state: 'stored',
            created_at: moment(purchasedAt),
          },
    ),
  )
  await insert(
    db,
    'ledger_entries',
    exchanges.flatMap(({ request, review: { reviewer, verifiedAt }, id }) => {
      if (verifiedAt === null) return []
      const common = { review_id: id, at: moment(verifiedAt) }
      const newId = () => idOf(Date.parse(moment(verifiedAt)))
      return [
        { id: newId(), member_id: memberId(reviewer), reason: 'gave', delta: 1, ...common },
        {
          id: newId(),
          member_id: memberId(request.product.seller),
          reason: 'received',
          delta: -1,
          ...common,
        },
      ]
    }),
  )
  await insert(
    db,
    'strikes',
    exchanges.flatMap(({ review: { reviewer, lapsedAt }, id }) =>
      lapsedAt === null
        ? []
        : {
            id: idOf(Date.parse(moment(lapsedAt))),
            member_id: memberId(reviewer),
            review_id: id,
            created_at: moment(lapsedAt),
          },
    ),
  )
  await addPairs(db, club, exchanges)
}

function draftOf(text: string) {
  return {
    rating: null,
    text: withDisclosure(marketplace.disclosure, text),
    usedFor: '',
    notFor: '',
    aiAssisted: false,
  }
}

/** Ten random digits, out of five billion, so that no two proofs share an order number. */
function orderNumber(random: () => number) {
  return String(4_000_000_000 + Math.floor(random() * 5_000_000_000))
}

async function addPairs(db: Kysely<DB>, { memberId, moment }: Club, exchanges: Exchange[]) {
  const pairs = new Map<string, Record<string, unknown>>()
  for (const { request, review } of exchanges) {
    const reviewer = memberId(review.reviewer)
    const [lo = '', hi = ''] = [reviewer, memberId(request.product.seller)].toSorted()
    const met = review.verifiedAt === null ? null : moment(review.verifiedAt)
    pairs.set(`${lo} ${hi}`, {
      lo,
      hi,
      held: review.status !== 'verified' && review.status !== 'lapsed',
      last_at: met,
      last_reviewer_id: met ? reviewer : null,
    })
  }
  // The drawn day left pairs that are free again.
  await sql`delete from pair_uses where not held and last_at is null`.execute(db)
  await insert(db, 'pair_uses', [...pairs.values()])
}

async function addNotifications(db: Kysely<DB>, club: Club) {
  const { moment, memberId } = club
  const sent = club.requests.flatMap(({ request, reviewId, offerIds }) =>
    notificationsOf(request, { review: reviewId, offers: offerIds }, moment),
  )
  await insert(
    db,
    'activity_items',
    sent.map(({ member, key, at, title, text, type, status, href }) => ({
      id: idOf(Date.parse(moment(at))),
      member_id: memberId(member),
      dedupe_key: key,
      type,
      title,
      description: text,
      status,
      href,
      created_at: moment(at),
    })),
  )
  await insert(
    db,
    'notices',
    sent.flatMap(({ member, key, at, notice, settledAt = null }) =>
      notice
        ? {
            id: idOf(Date.parse(moment(at))),
            member_id: memberId(member),
            dedupe_key: key,
            title: notice.title,
            message: notice.message,
            priority: notice.priority,
            action_label: notice.label,
            action_href: notice.href,
            created_at: moment(at),
            // Notices older than two days have been read.
            read_at: at < -2 * 1440 ? moment(at + 90) : settledAt === null ? null : moment(settledAt),
            settled_at: settledAt === null ? null : moment(settledAt),
          }
        : [],
    ),
  )
}

async function addStandings(db: Kysely<DB>, club: Club) {
  const { moment, memberId, requests, history, random } = club
  const longest = { keen: 8, regular: 30, casual: 60, quiet: 130 }
  const turns = new Map<string, number>()
  for (const { request } of requests)
    for (const { reviewer, offeredAt } of request.offers)
      turns.set(reviewer, Math.max(turns.get(reviewer) ?? -Infinity, offeredAt))
  const cooldowns = requests.flatMap(({ request }) => request.offers.filter(({ cooldown }) => cooldown > 0))
  const last = cooldowns.toSorted((one, other) => other.respondedAt - one.respondedAt)[0]
  const until = last && moment(last.respondedAt + last.cooldown)
  for (const { username, temperament } of cast) {
    const turnAt = moment(turns.get(username) ?? history.joinedAt.get(username) ?? -201 * 1440)
    const cooled = last?.reviewer === username
    await sql`update reviewer_states set here_until = null, standby = false, turn_at = ${turnAt},
      last_seen_at = ${moment(-Math.max(0.3, random()) * longest[temperament] * 60)},
      cooldown_until = ${cooled ? until : null}, available_at = ${cooled ? until : '-infinity'},
      last_decline_reset = ${cooled ? moment(last.respondedAt) : null}
      where member_id = ${memberId(username)}`.execute(db)
  }
  await sql`
    update reviewer_states s set
      balance = coalesce((select sum(delta) from ledger_entries l where l.member_id = s.member_id), 0),
      pending_give = (select count(*) from reviews r where r.reviewer_id = s.member_id
        and r.status not in ('verified', 'lapsed')),
      pending_take = (select count(*) from reviews r where r.seller_id = s.member_id
        and r.status not in ('verified', 'lapsed')),
      open_requests = (select count(*) from review_queue q where q.seller_id = s.member_id
        and q.status = 'queued')`.execute(db)
}

const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

/** Inserts all rows of a table in one statement. Every row names the columns of the first. */
async function insert(db: Kysely<DB>, table: string, rows: Record<string, unknown>[]) {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)},
      ${JSON.stringify(rows)})`.execute(db)
}
