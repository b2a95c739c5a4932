// Denied requests, as security events: one row for each actor, kind and minute, with a count. They are
// written after the answer, so that its time does not reveal whether a row exists.
import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { truncatedAddress } from './client-address.ts'

type Kind = 'foreign_row' | 'foreign_origin' | 'missing_right'

type Denial = {
  kind: Kind
  actorId: string | null
  /** Of a visitor; a member is known by id. */
  network: string | null
  object: string
  /** Of the rows that were asked for. Empty for the other kinds. */
  ids: string[]
  requestId: string
}

type Denied = {
  code: string
  requestId: string
  /** The method and path. */
  request: string
  /** What the request named: its path and input. */
  named: string
  /** The origin of a foreign page that sent it. */
  foreignOrigin?: string | undefined
}

const writeAfterMs = 200
const mostWaiting = 2_000
const mostIds = 10

/**
 * Returns what notes a refused request. A refusal that is no denial is ignored, and so is an id that no row
 * has, or one of the actor's own. Never throws.
 */
export function denialRecorder() {
  let waiting: Denial[] = []
  let writing = false

  // One write at a time: the first denial of a minute is the one whose request id is kept.
  async function writeWaiting(ctx: Ctx): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      await setTimeout(writeAfterMs, undefined, { ref: false })
      const all = waiting
      waiting = []
      await write({ ...ctx, db: ctx.kit.db }, all).catch((err: unknown) =>
        ctx.log.warn({ err }, 'denials could not be recorded'),
      )
    }
    writing = false
  }

  return function note(ctx: Ctx, denied: Denied): void {
    const denial = read(ctx, denied)
    if (!denial || waiting.length >= mostWaiting) return
    waiting.push(denial)
    if (!writing) void writeWaiting(ctx)
  }
}

function read({ who, client }: Ctx, { code, requestId, request, named, foreignOrigin }: Denied) {
  const kind = foreignOrigin === undefined ? kinds[code] : 'foreign_origin'
  if (kind === undefined) return null
  const ids = kind === 'foreign_row' ? [...new Set(named.toLowerCase().match(uuids))].slice(0, mostIds) : []
  if (kind === 'foreign_row' && ids.length === 0) return null
  const network = who.id === null && client ? truncatedAddress(client.address) : null
  const object = foreignOrigin === undefined ? request : `${request} from ${foreignOrigin}`
  return { kind, actorId: who.id, network, object: fit(object), ids, requestId }
}

const kinds: Record<string, Kind> = {
  NOT_FOUND: 'foreign_row',
  FORBIDDEN: 'missing_right',
  TWO_FACTOR_NEEDED: 'missing_right',
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function fit(text: string) {
  return text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 200)
}

async function write(ctx: Ctx, denials: Denial[]): Promise<void> {
  const owned = await findRows(
    ctx,
    denials.flatMap(({ ids }) => ids),
  )
  const events = new Map<string, Omit<Denial, 'ids'> & { id: string; count: number }>()
  for (const { ids, ...denial } of denials) {
    const foreign = ids
      .map((id) => owned.get(id))
      .find((row) => row && !row.owners.includes(denial.actorId ?? ''))
    if (denial.kind === 'foreign_row' && !foreign) continue
    const key = `${denial.actorId} ${denial.network} ${denial.kind}`
    const event = events.get(key) ?? { ...denial, id: newId(), count: 0 }
    if (foreign && event.count === 0) event.object = `${foreign.name} ${foreign.id}`
    event.count += 1
    events.set(key, event)
  }
  if (events.size === 0) return
  // A member who was erased meanwhile leaves no trace.
  const { rows } = await sql<Omit<Denial, 'ids'> & { fresh: boolean }>`
    insert into security_events as e (id, kind, actor_id, network, object, request_id, minute, count)
    select t.id, t.kind, "actorId", network, object, "requestId",
      date_trunc('minute', clock_timestamp()), count
    from jsonb_to_recordset(${JSON.stringify([...events.values()])}::jsonb)
      as t(id uuid, kind text, "actorId" uuid, network text, object text, "requestId" uuid, count integer)
    where not exists (select from members m where m.id = t."actorId" and m.erased_at is not null)
    on conflict (coalesce(actor_id::text, network, ''), kind, minute)
      do update set count = e.count + excluded.count
    returning kind, actor_id, object, request_id, xmax = 0 as fresh`.execute(ctx.db)
  for (const { kind, actorId, object, requestId } of rows.filter(({ fresh }) => fresh)) {
    ctx.log.warn({ code: kind, memberId: actorId, object, requestId }, 'a request was denied')
  }
}

type Row = { id: string; name: string; owners: string[] }

/** The rows of these ids that belong to a member, with everyone who may know of them. */
async function findRows(ctx: Ctx, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const all = sql`${[...new Set(ids)]}::uuid[]`
  const { rows } = await sql<Row>`
    select id, 'product' as name, array[seller_id] as owners from products where id = any(${all})
    union all select id, 'request', array[seller_id, offered_to, reviewer_id] from review_queue
      where id = any(${all})
    union all select id, 'offer', array[seller_id, reviewer_id] from offers where id = any(${all})
    union all select id, 'review', array[seller_id, reviewer_id] from reviews where id = any(${all})
    union all select id, 'proof', array[uploader_id] from proofs where id = any(${all})
    union all select id, 'notice', array[member_id] from notices where id = any(${all})
    union all select id, 'session', array[member_id] from sessions where id = any(${all})
    union all select id, 'passkey', array[member_id] from passkeys where id = any(${all})
    union all select id, 'archive', array[member_id] from data_exports where id = any(${all})
    union all select id, 'message', array[member_id] from support_messages where id = any(${all})`.execute(
    ctx.db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
