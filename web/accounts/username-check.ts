import { useQuery } from '@tanstack/react-query'
import { canBeUsername, usernameCheckDelay } from '#contract/accounts.ts'
import { api, client } from '#web/api.ts'
import { pause } from '#web/kit/pause.ts'

export type UsernameState = 'idle' | 'invalid' | 'checking' | 'taken' | 'valid' | 'unknown'

/** Whether a username may be taken, asked once typing has stopped for `usernameCheckDelay` milliseconds. */
export function useUsernameCheck(username: string): { state: UsernameState; checkAgain: () => void } {
  const may = canBeUsername(username)
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: api.accounts.usernameExists.queryKey({ input: { username } }),
    enabled: may === true,
    retry: false,
    // The next key begins a question of its own and takes this one back, also while it still waits.
    queryFn: async ({ signal }) => {
      await pause(usernameCheckDelay, signal)
      return client.accounts.usernameExists({ username }, { signal })
    },
  })
  return { state: stateOf(), checkAgain: () => void refetch() }

  function stateOf(): UsernameState {
    if (username === '') return 'idle'
    if (may === 'INVALID_USERNAME') return 'invalid'
    if (may === 'USERNAME_TAKEN') return 'taken'
    if (isError && !isFetching) return 'unknown'
    if (!data) return 'checking'
    return data.exists ? 'taken' : 'valid'
  }
}
