import { api } from '#web/api.ts'

/** The query for who is signed in, shared by all modules. The session decides when it is fetched again. */
export function meOptions() {
  // "Signed out" is an answer too, so another screen does not have to ask the server again.
  return api.members.getMe.queryOptions({ refetchOnWindowFocus: 'always' as const, retryOnMount: false })
}
