import { refusals } from '#contract/index.ts'
import type { RefusalCode } from '#contract/index.ts'
import type { RefusalData } from '#contract/kit.ts'
import { minutes } from '#contract/format.ts'

/** An expected refusal, with the contract's code and sentence. Everything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly data: RefusalData
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, data: RefusalData, retryAfter?: number) {
    const text = refusals[code]
    super(data?.reason ?? (code === 'TOO_MANY_REQUESTS' ? sentenceOfWait(retryAfter) : text.message))
    this.name = 'Refusal'
    this.code = code
    this.status = text.status
    this.data = 'title' in text ? { title: text.title, ...data } : data
    this.retryAfter = retryAfter
  }
}

/** "A moment" means a minute at most; a longer wait is spelled out. */
function sentenceOfWait(seconds = 0): string {
  return seconds <= 60
    ? refusals.TOO_MANY_REQUESTS.message
    : `Too many attempts. Please try again in ${minutes(Math.ceil(seconds / 60))}.`
}

/** The refusal to throw: `throw refuse('OFFER_EXPIRED')`. */
export function refuse(code: RefusalCode, data?: RefusalData, retryAfter?: number) {
  return new Refusal(code, data, retryAfter)
}

/** Whether a caught error is this refusal. */
export function isRefusal(error: unknown, code?: RefusalCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code)
}
