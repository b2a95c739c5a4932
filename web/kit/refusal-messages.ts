/**
 * What to say when an action failed: the server's own sentence when it refused (4xx), else the given one, as a fault's words
 * are not written for people.
 */
export function refusalMessage(error: unknown, otherwise: string): string {
  const { status, message } = read(error)
  return status !== undefined && status >= 400 && status < 500 && message ? message : otherwise
}

/** The code of a refusal, such as OFFER_EXPIRED; undefined when it was none. */
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
