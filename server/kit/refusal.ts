import { refusals } from '#contract/index.ts'
import type { RefusalCode } from '#contract/index.ts'
import type { RefusalData } from '#contract/kit.ts'
import { wait } from '#contract/format.ts'

/** After how many seconds to come back when something is away, where the code that met it knows no better. */
const outageSeconds = 10

/** An expected refusal, with the contract's code and sentence. Everything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly data: RefusalData
  /** Seconds after which the same call may succeed. Every 503 has them. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, data: RefusalData, retryAfter?: number) {
    const text = refusals[code]
    const seconds = retryAfter ?? (text.status === 503 ? outageSeconds : undefined)
    super(data?.reason ?? sentenceOf(code, seconds))
    this.name = 'Refusal'
    this.code = code
    this.status = text.status
    const given = seconds === undefined ? data : { ...data, wait: seconds }
    this.data = 'title' in text ? { title: text.title, ...given } : given
    this.retryAfter = seconds
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
