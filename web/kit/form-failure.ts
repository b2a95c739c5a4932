import { serverNow } from './time.ts'

/**
 * The errors of a submit: messages for fields, a message for the whole form, or both. `until` is when it may
 * be tried again, in milliseconds by the server's clock, after too many attempts.
 */
export type FormFailure = {
  fields?: Record<string, string>
  title?: string
  message?: string
  until?: number
}

/** Thrown by a form's `onSubmit` to show its own messages. */
export class FormRefusal extends Error {
  readonly failure: FormFailure

  constructor(failure: FormFailure | string) {
    const normalized = typeof failure === 'string' ? { message: failure } : failure
    super(normalized.message ?? 'The form was refused.')
    this.name = 'FormRefusal'
    this.failure = normalized
  }
}

/**
 * Converts a thrown error to a form failure. A refusal names its field in `data.field`; an answer to
 * malformed input lists `data.issues`. A message is shown only if it was written for users: declared in the
 * contract, or a 4xx.
 */
export function failureOf(error: unknown): FormFailure {
  if (error instanceof FormRefusal) return error.failure
  if (!isRecord(error)) return { message: unexpected }
  const { status, message, data, defined } = error
  const details = isRecord(data) ? data : {}
  const fields = issuesOf(details['issues'])
  if (Object.keys(fields).length > 0) return { fields }
  const isForUsers = defined === true || (typeof status === 'number' && status >= 400 && status < 500)
  if (isForUsers && typeof message === 'string' && message !== '') {
    if (typeof details['field'] === 'string') return { fields: { [details['field']]: message } }
    const title = typeof details['title'] === 'string' ? details['title'] : undefined
    return { title, message, until: status === 429 ? untilOf(error, details['wait']) : undefined }
  }
  return { message: status === undefined && error instanceof TypeError ? offline : unexpected }
}

const untils = new WeakMap<object, number>()

/** The end of the wait that a refusal named, counted from when it was first read. */
function untilOf(error: object, wait: unknown): number | undefined {
  if (typeof wait !== 'number') return undefined
  const until = untils.get(error) ?? serverNow() + wait * 1_000
  untils.set(error, until)
  return until
}

const offline =
  'Evenhand could not be reached. Nothing you typed was lost. Check your connection and try again.'
const unexpected = 'Something went wrong on our side. Nothing you typed was lost. Try again in a minute.'

function issuesOf(issues: unknown): Record<string, string> {
  if (!Array.isArray(issues)) return {}
  return firstMessages(
    issues.filter(
      (issue): issue is { path: PropertyKey[]; message: string } =>
        isRecord(issue) && Array.isArray(issue['path']) && typeof issue['message'] === 'string',
    ),
  )
}

/** The first message of each field, in the schema's order. */
export function firstMessages(issues: { path: PropertyKey[]; message: string }[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { path, message } of issues) {
    const field = String(path[0] ?? '')
    messages[field] ??= message
  }
  return messages
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
