/*
 * What a signed-in member does with the provider: connect it to the account, or confirm their identity. Both
 * open the provider's own window.
 */
import type { Provider } from '#contract/sign-in.ts'
import { post, startProviderSignIn } from './better-auth.ts'
import { visitProvider } from './provider-visit.ts'
import type { VisitEnds } from './provider-visit.ts'

/** Connects the provider to the member's account. Ask the server for the result. */
export function connectProvider(provider: Provider, ends: VisitEnds): Promise<void> {
  return visitProvider({ start: (nonce) => startProviderLink(provider, nonce), ...ends })
}

/** Signs in with the provider again, which makes the login session fresh. */
export function confirmWithProvider(provider: Provider, ends: VisitEnds): Promise<void> {
  return visitProvider({
    start: (nonce) => startProviderSignIn({ provider: provider.id, nonce, returnTo: location.pathname }),
    ...ends,
  })
}

async function startProviderLink(provider: Provider, nonce?: string): Promise<string | null> {
  const input = { provider: provider.id, nonce, returnTo: location.pathname }
  const { url } = await post('/api/auth/link-social', input)
  return typeof url === 'string' ? url : null
}
