import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { canBeUsername, usernameCheckDelay } from '#contract/members.ts'
import { api, client } from '#web/api.ts'
import { pause } from '#web/kit/pause.ts'

export type UsernameState = 'idle' | 'invalid' | 'own' | 'checking' | 'taken' | 'valid' | 'unknown'

const recheckMs = 5_000

type UsernameCheck = { state: UsernameState; checkAgain: () => void }

/**
 * Whether a username is valid and available, or `own`, the one that the member has. Asks the server
 * `usernameCheckDelay` ms after the last key.
 */
export function useUsernameCheck(username: string, own: string | null = null): UsernameCheck {
  const may = canBeUsername(username)
  const [isAsking, setAsking] = useState(false)
  const { data, isError, refetch } = useQuery({
    queryKey: api.accounts.isUsernameTaken.queryKey({ input: { username } }),
    enabled: may === true && username !== own,
    retry: false,
    // The next key starts a new check and aborts this one, even during its delay.
    queryFn: async ({ signal }) => {
      await pause(usernameCheckDelay, signal)
      return client.accounts.isUsernameTaken({ username }, { signal })
    },
    // A failed check is repeated quietly until it succeeds, so the user does not have to press anything.
    refetchInterval: ({ state }) => (state.status === 'error' ? recheckMs : false),
  })
  return { state: stateOf(), checkAgain: () => void checkAgain() }

  async function checkAgain() {
    setAsking(true)
    await refetch()
    setAsking(false)
  }

  function stateOf(): UsernameState {
    if (username === '') return 'idle'
    if (username === own) return 'own'
    if (may === 'INVALID_USERNAME') return 'invalid'
    if (may === 'USERNAME_TAKEN') return 'taken'
    if (isError && !isAsking) return 'unknown'
    if (!data) return 'checking'
    return data.exists ? 'taken' : 'valid'
  }
}
