// Who is signed in, as the server says: one query, asked again whenever it may have changed.
import { hashKey, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Query, QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Me } from '#contract/members.ts'
import { api } from '#web/api.ts'
import { openChannel } from '#web/kit/channel.ts'
import { noteReader, noteServerTime } from '#web/kit/time.ts'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { deletePendingEmail } from './pending-email.ts'

type Session =
  | { state: 'loading' }
  | { state: 'authed'; me: Me }
  | { state: 'signed_out' }
  /** It could not be found out: no answer, or a fault of the server. */
  | { state: 'failed'; retry: () => void; retrying: boolean }

const leaveKey = ['accounts', 'leave']

/** Who is signed in. An answer once had stays while later questions fail for another reason than being signed out. */
export function useSession(): Session {
  const { data, error, isFetching, refetch } = useQuery(meOptions())
  if (isSignedOut(error)) return { state: 'signed_out' }
  if (data) return { state: 'authed', me: data }
  if (error) return { state: 'failed', retry: () => void refetch(), retrying: isFetching }
  return { state: 'loading' }
}

/**
 * Asks within a second when the live stream is lost, and every few seconds while it is: nobody else would tell this page
 * then that the login session has ended, and a stream that does not open may be how it shows.
 */
export function useRecheckWhile(isStreamLost: boolean): void {
  const queryClient = useQueryClient()
  useQuery({ ...meOptions(), refetchInterval: isStreamLost ? lostRecheckMs : false })
  // The stream is outside React. Of a server that stops everybody hears at once, so they do not all ask at once.
  useEffect(() => {
    if (!isStreamLost) return undefined
    const timer = setTimeout(() => recheckSession(queryClient), Math.random() * firstRecheckMs)
    return () => clearTimeout(timer)
  }, [isStreamLost, queryClient])
}

const firstRecheckMs = 1_000
const lostRecheckMs = 5_000

/** Whether a sign-out is under way: until it is done, no guard sends anybody anywhere. */
export function useIsLeaving(): boolean {
  return useIsMutating({ mutationKey: leaveKey }) > 0
}

/** Does what ends the login session of this browser, and leaves for the sign-in page. Rejects when the action does. */
export function useLeaveBy(): (action: () => Promise<unknown>) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { mutateAsync } = useMutation({
    mutationKey: leaveKey,
    mutationFn: async (action: () => Promise<unknown>) => {
      await action()
      notifyOtherTabs()
      await router.navigate({ href: paths.signIn(), replace: true })
      clearAllButMe(queryClient)
      await queryClient.resetQueries({ queryKey: meKey() })
    },
  })
  return mutateAsync
}

/** Takes up the login session that the server has just opened; rejects when it cannot be read, or there is none. */
export async function enterSession(queryClient: QueryClient): Promise<Me> {
  clearAllButMe(queryClient)
  const me = await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 })
  notifyOtherTabs()
  return me
}

/** Takes in that the server has ended the login sessions of whoever was signed in here. */
export async function leaveSession(queryClient: QueryClient): Promise<void> {
  clearAllButMe(queryClient)
  // That it is refused is the answer: nobody is signed in.
  await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 }).catch(() => undefined)
  notifyOtherTabs()
}

/** Asks again who is signed in: now when a screen shows it, and else when the next one does. */
export function recheckSession(queryClient: QueryClient): void {
  // That it was nobody is an answer by which a screen that comes would stay.
  queryClient.removeQueries({
    queryKey: meKey(),
    type: 'inactive',
    predicate: ({ state }) => state.status === 'error' && state.fetchStatus === 'idle',
  })
  void queryClient.invalidateQueries({ queryKey: meKey() }, { cancelRefetch: false })
}

/**
 * Watches for everything that may end or change the login session: the window coming back, another tab, and any call
 * that is answered with 401. What a member loaded does not outlive their session. Once, at the start.
 */
export function watchSession(queryClient: QueryClient): void {
  addEventListener('focus', () => recheckSession(queryClient))
  addEventListener('pageshow', ({ persisted }) => {
    // The browser may show a page as it was left, long after somebody signed out: not before it is known who asks.
    if (persisted) void queryClient.resetQueries({ queryKey: meKey() })
  })
  otherTabs?.close()
  otherTabs = openChannel('evenhand-session')
  if (otherTabs) otherTabs.onmessage = () => recheckSession(queryClient)
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
      // Of a visitor there is nothing to forget, and what their page is asking meanwhile must go on.
      if (memberId !== null) clearAllButMe(queryClient)
      memberId = null
    }
    if (action.type === 'success' && isMe(query)) {
      // The cache holds under this key what `getMe` answered, and nothing else.
      const me = query.state.data as Me
      noteServerTime(me.serverTime)
      noteReader(me)
      deletePendingEmail()
      if (memberId !== null && memberId !== me.id) {
        void queryClient.resetQueries({ predicate: (other) => !isMe(other) })
      }
      memberId = me.id
    }
  })
}

let otherTabs: BroadcastChannel | null = null

function notifyOtherTabs(): void {
  otherTabs?.postMessage('changed')
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

/** Whether an answer was refused because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 401
}
