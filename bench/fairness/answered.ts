// Statements that decide nothing in the rotation, and are most of all that a club sends: what members read
// about it. They are answered here and not stored. Of the mails, template and reader are kept.
import type pg from 'pg'

export type Mail = { memberId: string; template: string }

const unread = [
  /^\s*insert into (?:notices|activity_items|events) /,
  /^\s*with over as materialized \(\s*select member_id, dedupe_key from notices /,
  /^\s*delete from push_messages /,
  // Everyone keeps the preset preferences.
  /^select .* from "notice_preferences" where "member_id" in /,
]
const outbox = /^\s*insert into mails /
/** The one marketplace stays open. */
const marketplaces = /^select "id" from "marketplaces" where "lane" <> \$1 order by "id" for share$/

type Answer = { command: string; rowCount: number; rows: unknown[] }

export function answerHere(pool: pg.Pool, mails: Mail[]) {
  const known = new Map<string, boolean>()
  let open: Answer | undefined
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    async function answered(text: string, values: unknown[], ...given: unknown[]): Promise<unknown> {
      if (marketplaces.test(text)) return (open ??= (await query(text, values, ...given)) as Answer)
      if (!outbox.test(text)) return { command: 'INSERT', rowCount: 0, rows: [] }
      const rows = JSON.parse(String(values[0])) as (Mail & { id: string })[]
      mails.push(...rows.map(({ memberId, template }) => ({ memberId, template })))
      return { command: 'INSERT', rowCount: rows.length, rows: rows.map(({ id }) => ({ id })) }
    }
    client.query = ((text: unknown, values: unknown, ...given: unknown[]) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...given)
      const isAnswered = known.get(text) ?? [...unread, outbox, marketplaces].some((of) => of.test(text))
      known.set(text, isAnswered)
      return isAnswered ? answered(text, values, ...given) : query(text, values, ...given)
    }) as typeof client.query
  })
}
