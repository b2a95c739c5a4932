import { ORPCError } from '@orpc/server'
import type { RefusalCode } from '#contract/index.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { violates, isDatabaseDown } from '#server/kit/db/db.ts'
import { StorageDown, StorageFull } from '#server/kit/uploads/files.ts'
import { Refusal, refuse } from '#server/kit/refusal.ts'
import { UnsupportedBody } from './request-body.ts'
import { uploadMessages, UploadRefused } from '#server/kit/uploads/upload.ts'

export type EdgeError = {
  status: number
  code: string
  message: string
  data?: unknown
  retryAfter?: number | undefined
}

/**
 * What a client learns of an error: a refusal's own sentence, an outage as 503 with Retry-After.
 * Anything else is a bug: it goes to the log, whole, under the request's id, and the client learns only that
 * id.
 */
export function describeError(error: unknown, ctx: Ctx, requestId: string): EdgeError {
  if (error instanceof Refusal) {
    return {
      status: error.status,
      code: error.code,
      message: error.message,
      data: error.data,
      retryAfter: error.retryAfter,
    }
  }
  if (error instanceof ORPCError && error.status < 500) {
    // Its data was made by our schemas or by the library's own parsing.
    return {
      status: error.status,
      code: String(error.code),
      message: error.message,
      data: error.data as unknown,
    }
  }
  if (error instanceof UploadRefused) return uploadError(error)
  if (error instanceof UnsupportedBody) {
    return { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send this as application/json.' }
  }
  if (error instanceof StorageFull) {
    ctx.log.error({ err: error, requestId }, 'the storage of files is full')
    return named(ofContract('STORAGE_FULL'), requestId)
  }
  if (error instanceof StorageDown) {
    ctx.log.warn({ err: error, requestId }, 'the storage of files could not answer')
    return named(ofContract('UNAVAILABLE', 10), requestId)
  }
  // The account was erased during the request: the next one would be a visitor's as well.
  if (violates(error, 'member_lives') || violates(error, 'members_erased')) return ofContract('UNAUTHORIZED')
  if (isDatabaseDown(error)) {
    ctx.log.warn({ err: error, requestId }, 'the database could not answer')
    return named(ofContract('UNAVAILABLE', 2), requestId)
  }
  ctx.log.error({ err: error, requestId }, 'an unexpected error')
  const message = 'Something went wrong on our side. Nothing was changed.'
  return named({ status: 500, code: 'INTERNAL_SERVER_ERROR', message }, requestId)
}

/** With the number under which the log has it: in the message, and apart for screens with their own. */
function named(problem: EdgeError, requestId: string): EdgeError {
  const data = typeof problem.data === 'object' ? problem.data : {}
  const message = `${problem.message} If it happens again, send us this number: ${requestId}`
  return { ...problem, message, data: { ...data, reference: requestId } }
}

function ofContract(code: RefusalCode, seconds?: number): EdgeError {
  const { status, message, data, retryAfter } = refuse(code, undefined, seconds)
  return { status, code, message, data, retryAfter }
}

function uploadError(error: UploadRefused): EdgeError {
  const message = uploadMessages[error.code] ?? 'This file could not be read. Please choose another one.'
  const retryAfter = error.code === 'busy' ? 5 : undefined
  return { status: error.status, code: `UPLOAD_${error.code.toUpperCase()}`, message, retryAfter }
}
