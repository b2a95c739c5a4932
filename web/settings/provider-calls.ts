/*
 * What a member who is signed in does by the provider: connecting it to the account, and proving with it who sits here.
 * Both happen in the provider's own window.
 */
import { SignInError, startProviderSignIn } from '#web/accounts/better-auth.ts'
import { visitProvider } from '#web/accounts/provider-visit.ts'
import type { ProviderVisit } from '#web/accounts/provider-visit.ts'

type Provider = { id: string; name: string }

type Ends = Pick<ProviderVisit, 'onReturned' | 'onQuiet'>

/** Connects the provider to the account of whoever is signed in. What came of it, the server says. */
export function connectProvider(provider: Provider, ends: Ends): Promise<void> {
  return visitProvider({ start: (nonce) => startProviderLink(provider, nonce), ...ends })
}

/** Signs in by the provider once more, which makes the login session fresh. */
export function confirmWithProvider(provider: Provider, ends: Ends): Promise<void> {
  return visitProvider({
    start: (nonce) => startProviderSignIn({ provider: provider.id, nonce, returnTo: location.pathname }),
    ...ends,
  })
}

/** Outside the contract, beside the calls of `better-auth.ts`. */
async function startProviderLink(provider: Provider, nonce?: string): Promise<string | null> {
  const response = await fetch('/api/auth/link-social', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: provider.id, nonce, returnTo: location.pathname }),
  })
  const answer: unknown = await response.json().catch(() => null)
  const { code, message, url } = {
    code: '',
    message: '',
    url: null,
    ...(typeof answer === 'object' ? answer : null),
  }
  if (!response.ok) throw new SignInError(String(code), response.status, String(message))
  return typeof url === 'string' ? url : null
}
