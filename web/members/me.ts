import { api } from '#web/api.ts'

/** The question of who is signed in, as every module asks it. The session decides when it is asked again. */
export function meOptions() {
  // That nobody is signed in is an answer: another screen that asks has no reason to ask the server again.
  return api.members.getMe.queryOptions({ refetchOnWindowFocus: 'always' as const, retryOnMount: false })
}
