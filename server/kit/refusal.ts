import { refusals } from '#contract/index.ts'
import type { RefusalCode } from '#contract/index.ts'
import type { RefusalData } from '#contract/kit.ts'

/** Something expected that the product says no to. Its code and sentence are the contract's; everything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly data: RefusalData
  /** Seconds after which the same call may pass. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, data: RefusalData, retryAfter?: number) {
    const text = refusals[code]
    super(data?.reason ?? text.message)
    this.name = 'Refusal'
    this.code = code
    this.status = text.status
    this.data = 'title' in text ? { title: text.title, ...data } : data
    this.retryAfter = retryAfter
  }
}

/** The refusal to throw: `throw refuse('OFFER_EXPIRED')`. */
export function refuse(code: RefusalCode, data?: RefusalData, retryAfter?: number) {
  return new Refusal(code, data, retryAfter)
}

/** Whether something caught is this refusal. */
export function isRefusal(error: unknown, code?: RefusalCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code)
}
