// Who is signed in, according to the server: one query, fetched again whenever the answer may have changed.
import { hashKey, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Query, QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Me } from '#contract/members.ts'
import { api } from '#web/api.ts'
import { openChannel } from '#web/kit/channel.ts'
import { dropEverything } from '#web/kit/tab-storage.ts'
import { noteReader, noteServerTime } from '#web/kit/time.ts'
import { noteDrafter } from '#web/kit/ui/kept-draft.ts'
import { isSignedOut, meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { deletePendingEmail } from './pending-email.ts'

type Session =
  | { state: 'loading' }
  | { state: 'authed'; me: Me }
  | { state: 'signed_out' }
  /** Unknown: the server did not answer or failed. */
  | { state: 'failed'; retry: () => void; retrying: boolean; error: Error }

const leaveKey = ['accounts', 'leave']

/** Who is signed in. Keeps the last answer while later requests fail, unless they fail with 401. */
export function useSession(): Session {
  const { data, error, isFetching, refetch } = useQuery(meOptions())
  if (isSignedOut(error)) return { state: 'signed_out' }
  if (data) return { state: 'authed', me: data }
  if (error) return { state: 'failed', retry: () => void refetch(), retrying: isFetching, error }
  return { state: 'loading' }
}

/**
 * Checks the session within a second after the live stream is lost, then every five seconds until it is back.
 * No event can report the end of a session meanwhile, and an ended session is one reason for a lost stream.
 */
export function useRecheckWhile(isStreamLost: boolean): void {
  const queryClient = useQueryClient()
  useQuery({ ...meOptions(), refetchInterval: isStreamLost ? lostRecheckMs : false })
  // The stream is outside React. A stopping server drops all clients at once, so their checks are spread.
  useEffect(() => {
    if (!isStreamLost) return undefined
    const timer = setTimeout(() => recheckSession(queryClient), Math.random() * firstRecheckMs)
    return () => clearTimeout(timer)
  }, [isStreamLost, queryClient])
}

const firstRecheckMs = 1_000
const lostRecheckMs = 5_000

/** Whether the session of this page's member ended, other than by an action on this page. */
export function hasSessionEnded(): boolean {
  return hasEnded
}

let hasEnded = false
let isEndingHere = false

/** Whether a sign-out is in progress. Route guards must not redirect until it is done. */
export function useIsLeaving(): boolean {
  return useIsMutating({ mutationKey: leaveKey }) > 0
}

/** Runs an action that ends this browser's session, then opens the sign-in page. Rejects if it fails. */
export function useLeaveBy(): (action: () => Promise<unknown>) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { mutateAsync } = useMutation({
    mutationKey: leaveKey,
    mutationFn: async (action: () => Promise<unknown>) => {
      await action()
      notifyOtherTabs('left')
      await router.navigate({ href: paths.signIn(), replace: true })
      // Not before: an open page would write to it again.
      dropEverything()
      clearAllButMe(queryClient)
      await queryClient.resetQueries({ queryKey: meKey() })
    },
  })
  return mutateAsync
}

/** Loads the login session that the server has just opened. Rejects when it cannot be read. */
export async function enterSession(queryClient: QueryClient): Promise<Me> {
  clearAllButMe(queryClient)
  const me = await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 })
  notifyOtherTabs()
  return me
}

/** Clears the page's data after the server has ended the member's login sessions. */
export async function leaveSession(queryClient: QueryClient): Promise<void> {
  clearAllButMe(queryClient)
  isEndingHere = true
  // The refusal is the expected answer: no user is signed in, unless the sessions were another member's.
  await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 }).catch((error: unknown) => {
    if (isSignedOut(error)) dropEverything()
  })
  isEndingHere = false
  notifyOtherTabs()
}

/** Fetches again who is signed in: now if a screen shows it, otherwise when the next screen needs it. */
export function recheckSession(queryClient: QueryClient): void {
  // A cached "signed out" that no screen shows would be believed by the next screen without asking.
  queryClient.removeQueries({
    queryKey: meKey(),
    type: 'inactive',
    predicate: ({ state }) => state.status === 'error' && state.fetchStatus === 'idle',
  })
  void queryClient.invalidateQueries({ queryKey: meKey() }, { cancelRefetch: false })
}

/**
 * Checks the session whenever it may have changed: on window focus, a message from another tab and any 401.
 * Clears the member's cached data when the session ends. Call it once, at the start.
 */
export function watchSession(queryClient: QueryClient): void {
  addEventListener('focus', () => recheckSession(queryClient))
  addEventListener('pageshow', ({ persisted }) => {
    // The browser may restore a page long after a sign-out. It must not show data before a session check.
    if (persisted) void queryClient.resetQueries({ queryKey: meKey() })
  })
  otherTabs?.close()
  otherTabs = openChannel('evenhand-session')
  if (otherTabs) {
    otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data === 'left') dropEverything()
      recheckSession(queryClient)
    }
  }
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isSignedOut(event.action.error)) {
      recheckSession(queryClient)
    }
  })

  let memberId: string | null = null
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'error' && isSignedOut(action.error)) {
      if (!isMe(query)) return recheckSession(queryClient)
      // A visitor has no data to clear, and the requests of their page must not be cancelled.
      if (memberId !== null) clearAllButMe(queryClient)
      if (memberId !== null) hasEnded = !isEndingHere && !queryClient.isMutating({ mutationKey: leaveKey })
      memberId = null
    }
    if (action.type === 'success' && isMe(query)) {
      // Only answers of `getMe` are cached under this key.
      const me = query.state.data as Me
      noteServerTime(me.serverTime)
      noteReader(me)
      noteDrafter(me.id)
      deletePendingEmail()
      hasEnded = false
      if (memberId !== null && memberId !== me.id) {
        void queryClient.resetQueries({ predicate: (other) => !isMe(other) })
      }
      memberId = me.id
    }
  })
}

let otherTabs: BroadcastChannel | null = null

/** `left`: the member signed out. */
type TabMessage = 'changed' | 'left'

function notifyOtherTabs(message: TabMessage = 'changed'): void {
  otherTabs?.postMessage(message)
}

function clearAllButMe(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => !isMe(query) })
  const mutations = queryClient.getMutationCache()
  for (const mutation of mutations.getAll()) {
    if (mutation.state.status !== 'pending') mutations.remove(mutation)
  }
}

function meKey() {
  return api.members.getMe.queryKey()
}

function isMe(query: Query): boolean {
  return query.queryHash === hashKey(meKey())
}
