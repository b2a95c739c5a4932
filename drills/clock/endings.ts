// Offers and login sessions that are to end in a moment, and what is still possible when that moment is over.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Member } from '../club.ts'
import { ask } from '../cluster.ts'
import type { Exchange, Trader } from '../faults/exchange.ts'
import { until } from '../stage.ts'

/** They end after so many seconds. */
const seconds = 6

/** `offers` tried when they were over, and those of them that were accepted nevertheless. */
type Ended = { offers: number; accepted: number; signedIn: boolean }

/** Waits until some traders hold an offer. Then their offers and the session of `leaver` end soon. */
export async function letEnd(
  admin: PgConnection,
  { history, hesitant }: Exchange,
  { holders, leaver }: { holders: Trader[]; leaver: Member },
): Promise<() => Promise<Ended>> {
  for (const me of holders) hesitant.add(me)
  const held = new Map<Trader, string>()
  const look = async () => {
    for (const me of holders) {
      const offer = await history.ask(me, { method: 'GET', path: '/api/offers/current' })
      // The contract defines this shape.
      if (offer) held.set(me, (offer as { queueId: string }).queueId)
    }
    return held.size >= 3
  }
  await until('three members hold offers', look)
  const ends = `clock_timestamp() + interval '${seconds} seconds'`
  const which = [...held.values()].map((id) => `'${id}'`).join(',')
  await ask(admin, [
    `update review_queue set offer_expires_at = ${ends} where status = 'offered' and id in (${which})`,
    `update offers set expires_at = ${ends} where state = 'open' and queue_id in (${which})`,
    `update sessions set expires_at = ${ends} where member_id = '${leaver.memberId}'`,
  ])
  const over = performance.now() + (seconds + 1) * 1000
  return async () => {
    await sleep(over - performance.now())
    let accepted = 0
    for (const [me, queueId] of held) {
      const { outcome } = await history.write(me, {
        kind: 'accept',
        subject: `${queueId} ${me.memberId}`,
        path: '/api/review-response',
        body: { queueId, accept: true },
      })
      if (outcome === 'acknowledged') accepted += 1
    }
    hesitant.clear()
    const me = await history.send(leaver, { method: 'GET', path: '/api/me' })
    return { offers: held.size, accepted, signedIn: me.status === 200 && me.text.includes(leaver.memberId) }
  }
}
