// The library's REST transport without its detour over Request and Response objects, which cost more than the
// calls themselves.
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard'
import type { AnyRouter, Context } from '@orpc/server'
import { StandardHandler } from '@orpc/server/standard'
import type { StandardHandlerOptions } from '@orpc/server/standard'

type CallRequest = {
  method: string
  url: URL
  /** The body as it was parsed: JSON or a form. Asked for once, and not of a read. */
  body: () => Promise<unknown>
}

/** `body` is JSON; null where the call answers nothing. */
type CallAnswer = { status: number; body: string | null }

/**
 * What calls answer is JSON already: the contract's shapes hold text, numbers, lists and objects, no dates
 * and no files.
 */
class AsItIs extends StandardOpenAPISerializer {
  override serialize(data: unknown) {
    return data
  }
}

/** Answers the calls below `/api`; null for a path or method that is no call. */
export function openCalls<T extends Context>(
  router: AnyRouter,
  clientInterceptors: StandardHandlerOptions<T>['clientInterceptors'],
) {
  const serializer = new AsItIs(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer())
  const codec = new StandardOpenAPICodec(serializer)
  const options = clientInterceptors ? { clientInterceptors } : {}
  const handler = new StandardHandler<T>(router, new StandardOpenAPIMatcher(), codec, options)
  return async (request: CallRequest, context: T): Promise<CallAnswer | null> => {
    const standard = { ...request, headers: {}, signal: undefined }
    const { matched, response } = await handler.handle(standard, { prefix: '/api', context })
    if (!matched) return null
    const { status, body } = response
    return { status, body: body === undefined ? null : JSON.stringify(body) }
  }
}
