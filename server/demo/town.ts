// The living town: in demo mode the seeded members answer offers, buy, review, confirm and ask, so that somebody who comes alone sees
// the whole exchange happen within two minutes.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { perform } from './deeds.ts'
import { planStep } from './plan.ts'
import type { Deed } from './plan.ts'
import { readWorld } from './world.ts'

const stepMs = 2000
/** What failed is left alone for so long. */
const restMs = 20_000

/** Brings the town to life; does nothing outside demo mode. It ends with `stop`, after the step under way. */
export function startTown(ctx: Ctx): { stop(): Promise<void> } {
  if (ctx.config.mode !== 'demo') return { stop: () => Promise.resolve() }
  const resting = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let step = Promise.resolve()

  function next() {
    step = townStep(ctx, resting)
      .catch((err: unknown) => ctx.log.warn({ err }, 'the town missed a step'))
      .then(() => {
        if (!stopped) timer = setTimeout(next, stepMs)
      })
  }

  next()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await step
    },
  }
}

/**
 * One step of the town: everything that is due now. Of several workers one does it; the others pass. Deeds that failed rest for a while
 * (`resting`: until when, by deed), and stop no other.
 */
export async function townStep(ctx: Ctx, resting = new Map<string, number>()): Promise<void> {
  if (ctx.config.mode !== 'demo') return
  await ctx.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('demo-town', 0)) as mine`.execute(db)
    if (!rows[0]?.mine) return
    for (const deed of planStep(await readWorld({ ...ctx, db }))) await attempt(ctx, deed, resting)
  })
}

async function attempt(ctx: Ctx, deed: Deed, resting: Map<string, number>) {
  const key = keyOf(deed)
  const now = Date.now()
  for (const [past, until] of resting) if (until <= now) resting.delete(past)
  if (resting.has(key)) return
  try {
    await perform(ctx, deed)
  } catch (err) {
    resting.set(key, now + restMs)
    const refused = isRefusal(err)
    ctx.log[refused ? 'debug' : 'warn'](
      refused ? { code: err.code, reason: deed.kind } : { err, reason: deed.kind },
      'the town could not do something',
    )
  }
}

function keyOf(deed: Deed) {
  if (deed.kind === 'ask') return deed.kind
  if (deed.kind === 'arrive') return `${deed.kind} ${deed.by}`
  return `${deed.kind} ${deed.kind === 'answer' ? deed.offer : deed.reviewId}`
}
