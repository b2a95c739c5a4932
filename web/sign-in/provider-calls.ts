/*
 * What a member who is signed in does by the provider: connecting it to the account, and proving with it who sits here.
 * Both happen in the provider's own window.
 */
import type { Provider } from '#contract/sign-in.ts'
import { post, startProviderSignIn } from './better-auth.ts'
import { visitProvider } from './provider-visit.ts'
import type { VisitEnds } from './provider-visit.ts'

/** Connects the provider to the account of whoever is signed in. What came of it, the server says. */
export function connectProvider(provider: Provider, ends: VisitEnds): Promise<void> {
  return visitProvider({ start: (nonce) => startProviderLink(provider, nonce), ...ends })
}

/** Signs in by the provider once more, which makes the login session fresh. */
export function confirmWithProvider(provider: Provider, ends: VisitEnds): Promise<void> {
  return visitProvider({
    start: (nonce) => startProviderSignIn({ provider: provider.id, nonce, returnTo: location.pathname }),
    ...ends,
  })
}

async function startProviderLink(provider: Provider, nonce?: string): Promise<string | null> {
  const wish = { provider: provider.id, nonce, returnTo: location.pathname }
  const { url } = await post('/api/auth/link-social', wish)
  return typeof url === 'string' ? url : null
}
