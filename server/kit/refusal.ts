import { refusals } from '#contract/index.ts'
import type { RefusalCode } from '#contract/index.ts'
import type { RefusalData } from '#contract/kit.ts'
import { wait } from '#contract/format.ts'

/** An expected refusal, with the contract's code and sentence. Everything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly data: RefusalData
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, data: RefusalData, retryAfter?: number) {
    const text = refusals[code]
    super(data?.reason ?? sentenceOf(code, retryAfter))
    this.name = 'Refusal'
    this.code = code
    this.status = text.status
    const given = retryAfter === undefined ? data : { ...data, wait: retryAfter }
    this.data = 'title' in text ? { title: text.title, ...given } : given
    this.retryAfter = retryAfter
  }
}

/** The contract's sentence, with the seconds to wait where they are known. */
function sentenceOf(code: RefusalCode, seconds: number | undefined): string {
  const { message } = refusals[code]
  return seconds === undefined ? message : message.replace('in a minute', `in ${wait(seconds)}`)
}

/** The refusal to throw: `throw refuse('OFFER_EXPIRED')`. */
export function refuse(code: RefusalCode, data?: RefusalData, retryAfter?: number) {
  return new Refusal(code, data, retryAfter)
}

/** Whether a caught error is this refusal. */
export function isRefusal(error: unknown, code?: RefusalCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code)
}
