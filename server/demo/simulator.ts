// The demo simulator: in demo mode the seeded members answer offers, buy, review, confirm and ask, so that a
// newcomer alone sees the whole exchange happen within two minutes.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { perform } from './actions.ts'
import { planStep } from './plan.ts'
import type { Action } from './plan.ts'
import { readDemoState } from './state.ts'

const stepMs = 2000
/** How long a failed action waits before it is tried again. */
const restMs = 20_000

/** Starts the simulator; does nothing outside demo mode. `stop` waits for the current step. */
export function startSimulator(ctx: Ctx): { stop(): Promise<void> } {
  if (ctx.config.mode !== 'demo') return { stop: () => Promise.resolve() }
  const resting = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let step = Promise.resolve()

  function next() {
    step = simulatorStep(ctx, resting)
      .catch((err: unknown) => ctx.log.warn({ err }, 'a step of the demo simulator failed'))
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
 * One step: performs everything that is due now. Of several workers one does it, the others skip. A failed
 * action rests for a while (`resting`: until when, by action) and stops no other.
 */
export async function simulatorStep(ctx: Ctx, resting = new Map<string, number>()): Promise<void> {
  if (ctx.config.mode !== 'demo') return
  await ctx.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('demo-simulator', 0)) as mine`.execute(db)
    if (!rows[0]?.mine) return
    for (const action of planStep(await readDemoState({ ...ctx, db }))) await attempt(ctx, action, resting)
  })
}

async function attempt(ctx: Ctx, action: Action, resting: Map<string, number>) {
  const key = keyOf(action)
  const now = Date.now()
  for (const [past, until] of resting) if (until <= now) resting.delete(past)
  if (resting.has(key)) return
  try {
    await perform(ctx, action)
  } catch (err) {
    resting.set(key, now + restMs)
    const refused = isRefusal(err)
    ctx.log[refused ? 'debug' : 'warn'](
      refused ? { code: err.code, reason: action.kind } : { err, reason: action.kind },
      'a simulated member could not act',
    )
  }
}

function keyOf(action: Action) {
  if (action.kind === 'ask') return action.kind
  if (action.kind === 'arrive') return `${action.kind} ${action.by}`
  return `${action.kind} ${action.kind === 'answer' ? action.offer : action.reviewId}`
}
