import { refusalCode } from '#web/kit/refusal-messages.ts'

/** Whether a draft was not saved because of its length: its other limits are those of its fields. */
export function isTooLong(error: unknown): boolean {
  return ['BAD_REQUEST', 'TOO_LARGE'].includes(refusalCode(error) ?? '')
}
