import { api, client } from '#web/api.ts'
import { dropSessionHint, hasSessionHint, keepSessionHint } from './session-hint.ts'

/**
 * The query for who is signed in, shared by all modules. The session decides when it is fetched again. A
 * browser without the hint of a session is signed out: the server is not asked, and refuses nothing.
 */
export function meOptions() {
  return api.members.getMe.queryOptions({
    queryFn: async ({ signal }) => {
      if (!hasSessionHint()) throw new SignedOut()
      try {
        const me = await client.members.getMe(undefined, { signal })
        keepSessionHint()
        return me
      } catch (error) {
        if (isSignedOut(error)) dropSessionHint()
        throw error
      }
    },
    refetchOnWindowFocus: 'always' as const,
    // "Signed out" is an answer too, so another screen does not have to ask the server again.
    retryOnMount: false,
  })
}

/** What the server would have answered. */
class SignedOut extends Error {
  readonly status = 401
}

/** Whether a request was refused because no user is signed in. */
export function isSignedOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 401
}
