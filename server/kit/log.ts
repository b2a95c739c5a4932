import pino from 'pino'
import type { DestinationStream, Logger, LoggerOptions } from 'pino'

export type Log = Logger

/** Fields that a log line may carry. Everything else is dropped, so no secret can slip in. */
const allowed = new Set(
  `requestId route method status ms code memberId sessionId job jobId event count port process mode attempt
  err streams queue offerId queueId reviewId productId proofId imageId mailId template reason pass requests
  candidates matched invariant rows object`.split(/\s+/),
)

/**
 * The process's logger: JSON lines on standard output, plain values under allowed names only, errors without
 * the values of rows and inputs. `to` receives the lines instead.
 */
export function openLog(process: string, level: string, to: DestinationStream = pino.destination(1)): Log {
  const options: LoggerOptions = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: keepAllowed },
    serializers: { err: describeError },
  }
  const log: Log = pino(options, to)
  const { child } = log
  // The formatter above does not see the fields of children, so this filters them. The type is generic in
  // custom levels, of which there are none.
  log.child = function (this: Log, fields) {
    return child.call(this, keepAllowed(fields)) as never
  }
  return log
}

function keepAllowed(fields: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => allowed.has(name) && (name === 'err' || typeof value !== 'object' || value === null),
    ),
  )
}

/** An error's kind, message and stack. PostgreSQL puts row values into `detail`, which is left out. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: withoutValues(messageOfOther(error)).slice(0, 500) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const constraint =
    'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  const message = messageOf(error, code)
  return {
    type: error.name,
    code,
    constraint,
    message: message.slice(0, 500),
    stack: error.stack && withoutValues(error.stack.replace(error.message, () => message)).slice(0, 4000),
  }
}

/** A plain object: the job library passes copies of errors with message and code. */
function messageOfOther(error: unknown) {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return messageOf(new Error(String(error.message)), code)
}

/**
 * Messages that quote the value: PostgreSQL's class 22 and the language's own, about unreadable numbers,
 * moments or JSON.
 */
function messageOf(error: Error, code: string | undefined) {
  const quotes = error instanceof SyntaxError || code?.startsWith('22')
  return withoutValues(quotes ? error.message.replace(/"[^]*"|'[^]*'/g, '…') : error.message)
}

/** Mail addresses, and credentials before the host of a server's address. */
function withoutValues(text: string) {
  return text.replace(/[^\s<>()"'/@]+@(?=[\w-]+\.)/g, '…@')
}
