// Proofs that are uploaded, for tests.
import { call } from '@orpc/server'
import type { CallContext } from '#server/kit/http/api.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { drawReceipt } from './receipt.ts'
import { reviewProcedures } from '#server/reviews/procedures.ts'

let receipts = 0

/** A screenshot that looks like no earlier one. */
export async function screenshot(name?: string): Promise<File> {
  receipts += 1
  const receipt = drawReceipt({ order: `30417${receipts}`, title: `Planner ${receipts}` })
  return fileOf(await receipt.png().toBuffer(), name)
}

export function fileOf(bytes: Buffer, name = 'receipt.png'): File {
  return new File([new Uint8Array(bytes)], name)
}

/** Calls the API with an input that the edge has not validated, and this Idempotency-Key. */
export function callUpload(ctx: Ctx, input: unknown, idempotencyKey?: string) {
  const context: CallContext = {
    ctx,
    requestId: '1',
    headers: new Headers(),
    idempotencyKey,
    requestHash: Buffer.alloc(0),
    answer: { headers: new Headers() },
  }
  return call(reviewProcedures.proveByFile, input as never, { context })
}
