import pino from 'pino'
import type { Logger } from 'pino'

export type Log = Logger

/** Fields a log line may carry. Whatever else a caller hands over is dropped, so no secret can slip in. */
const allowed = new Set(
  `requestId route method status ms code memberId sessionId job jobId event count port process mode attempt err streams queue
  offerId queueId reviewId productId mailId template reason pass requests candidates matched invariant rows`.split(
    /\s+/,
  ),
)

/** The process's logger: JSON lines on standard output, only fields of the allow list, errors without their queries' values. */
export function openLog(process: string, level: string): Log {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: keepAllowed },
    serializers: { err: describeError },
  })
}

function keepAllowed(fields: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)))
}

/** An error's kind, message and stack. PostgreSQL puts row values into `detail`, which is left out. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const constraint = 'constraint' in error ? String(error.constraint) : undefined
  return {
    type: error.name,
    code,
    constraint,
    message: error.message.slice(0, 500),
    stack: error.stack?.slice(0, 4000),
  }
}
