import { useQuery } from '@tanstack/react-query'
import type { Provider } from '#contract/sign-in.ts'
import { client } from '#web/api.ts'

let asked: Promise<Provider | null> | undefined
const patienceMs = 2_000
const askOnMs = 10_000

/**
 * The provider that this club offers, null when it offers none, undefined when that cannot be found out soon: the pages
 * that offer it stand without it meanwhile, rather than not at all.
 */
export function findProvider(): Promise<Provider | null | undefined> {
  const soon = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))
  return Promise.race([askForProvider().catch(() => undefined), soon])
}

/**
 * The provider as `findProvider` found it, or once it is found out after all; undefined until then, and null while the server keeps
 * failing, which is asked on.
 */
export function useProvider(found: Provider | null | undefined): Provider | null | undefined {
  const { data, isError } = useQuery({
    queryKey: ['accounts', 'provider'],
    queryFn: askForProvider,
    initialData: found,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? askOnMs : false),
  })
  return isError ? null : data
}

/** Asked once; again only when there was no answer. */
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

/** Whether a sign-in was begun in this browser that a code would end. Not when it cannot be found out. */
export function needsCode(): Promise<boolean> {
  return client.signIn.getSignInOptions().then(
    (options) => options.needsCode,
    () => false,
  )
}
