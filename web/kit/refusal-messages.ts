/**
 * The message for a failed action: the server's own when it refused (4xx, or it is very busy), otherwise the
 * given one, since messages of other errors are not written for users.
 */
export function refusalMessage(error: unknown, otherwise: string): string {
  const { status, message, code } = read(error)
  const refused = code === 'BUSY' || (status !== undefined && status >= 400 && status < 500)
  if (refused && message) return message
  return [otherwise, numberToSend(error)].filter(Boolean).join(' ')
}

/** What to send us when it happens again; undefined when our log has no number for it. */
export function numberToSend(error: unknown): string | undefined {
  const reference = referenceOf(error)
  return reference && `If it happens again, send us this number: ${reference}`
}

/** The number under which our log has a failure of ours; undefined for refusals and lost connections. */
export function referenceOf(error: unknown): string | undefined {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('reference' in data)) return undefined
  return typeof data.reference === 'string' ? data.reference : undefined
}

/** The code of a refusal, for example OFFER_EXPIRED; undefined for other errors. */
export function refusalCode(error: unknown): string | undefined {
  return read(error).code
}

function read(error: unknown): { status?: number; message?: string; code?: string } {
  if (typeof error !== 'object' || error === null) return {}
  return {
    status: 'status' in error && typeof error.status === 'number' ? error.status : undefined,
    message: 'message' in error && typeof error.message === 'string' ? error.message : undefined,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
  }
}
