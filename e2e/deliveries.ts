// How the payment partner's events reach the club in a journey.
import { query, runJob, untilDone } from './database.ts'
import { expect } from './product.ts'
import type { Product } from './product.ts'

const ways = ['late', 'twice', 'in disorder', 'lost'] as const
type Delivery = (typeof ways)[number]

/**
 * From now on events come this way, or as DELIVERY in the environment says. Returns what lets the club learn
 * those made so far: they arrive, or the nightly comparison finds what they would have said.
 */
export async function deliver(product: Product, way: Delivery): Promise<() => Promise<void>> {
  const { payments } = product
  const chosen = ways.find((one) => one === process.env['DELIVERY']) ?? way
  const begin = () => {
    if (chosen === 'lost') return payments.deliveries('lose')
    return chosen === 'twice' ? payments.deliveries('deliver', { copies: 2 }) : payments.deliveries('hold')
  }
  await begin()
  return async () => {
    if (chosen === 'lost') return compare(product)
    if (chosen !== 'twice') await payments.release({ order: chosen === 'late' ? 'made' : 'reversed' })
    await payments.settled()
    // An event is stored first and applied by a job, which a busy machine may begin late.
    await untilDone(product, 'apply-stripe-events', 'sync-membership')
    await begin()
  }
}

/** The nightly comparison. It goes on in jobs of its own after its first one. */
async function compare(product: Product) {
  const finished = () => query(product, 'select from reconciliations where finished_at is not null')
  const { length } = await finished()
  await runJob(product, 'reconcile-memberships')
  await expect.poll(async () => (await finished()).length).toBeGreaterThan(length)
}
