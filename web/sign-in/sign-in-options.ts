import { useQuery } from '@tanstack/react-query'
import type { Provider } from '#contract/sign-in.ts'
import { client } from '#web/api.ts'

let asked: Promise<Provider | null> | undefined
const maxWaitMs = 2_000
const recheckMs = 10_000

/**
 * The provider that the server offers, null without one, undefined when the answer fails or takes longer than
 * two seconds. Pages then render without it instead of waiting.
 */
export function findProvider(): Promise<Provider | null | undefined> {
  const soon = new Promise<undefined>((resolve) => setTimeout(resolve, maxWaitMs))
  return Promise.race([askForProvider().catch(() => undefined), soon])
}

/**
 * The provider that `findProvider` found, or a later answer. Undefined until there is one, and null while the
 * server fails. A failed request is repeated every ten seconds.
 */
export function useProvider(found: Provider | null | undefined): Provider | null | undefined {
  const { data, isError } = useQuery({
    queryKey: ['accounts', 'provider'],
    queryFn: askForProvider,
    initialData: found,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? recheckMs : false),
  })
  return isError ? null : data
}

/** Asks once, and again only after a failure. */
function askForProvider(): Promise<Provider | null> {
  asked ??= client.signIn
    .getSignInOptions()
    .then(({ provider }) => provider)
    .catch((error: unknown) => {
      asked = undefined
      throw error
    })
  return asked
}

/** Whether this browser has started a sign-in that still needs a code. False when the server cannot say. */
export function needsCode(): Promise<boolean> {
  return client.signIn.getSignInOptions().then(
    (options) => options.needsCode,
    () => false,
  )
}
