import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, client } from '#web/api.ts'
import { pause } from '#web/kit/pause.ts'

/** How long the search for members waits after the last key, in milliseconds. */
const memberSearchDelay = 200

/** Members whose username starts with the text, with or without an @. Asks the server when typing pauses. */
export function useMemberSearch(text: string) {
  const username = text.trim().toLowerCase().replace(/^@/, '')
  const isName = /^[a-z][a-z0-9_-]{1,19}$/.test(username)
  const { data, isFetching, isError } = useQuery({
    queryKey: api.members.findMembers.queryKey({ input: { username } }),
    enabled: isName,
    placeholderData: keepPreviousData,
    // The next key starts a new search and aborts this one, even during its delay.
    queryFn: async ({ signal }) => {
      await pause(memberSearchDelay, signal)
      return client.members.findMembers({ username }, { signal })
    },
  })
  return {
    members: isName ? (data ?? []) : [],
    isSearching: isName && isFetching,
    isError: isName && isError,
  }
}
