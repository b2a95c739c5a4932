import { providerErrors } from '#contract/sign-in.ts'
import { SignInError } from './better-auth.ts'
import { NoProviderAddress } from './provider-visit.ts'

export type ProviderRefusal = { title: string; message?: string }

/** Why the way by a provider could not be gone, from what was thrown. */
export function explainProvider(error: unknown, name: string): ProviderRefusal {
  if (error instanceof NoProviderAddress) {
    return {
      title: providerErrors.failed(name),
      message: `${name} gave no page to sign in on. The address of this site may not be allow-listed in its authorized origins.`,
    }
  }
  if (error instanceof SignInError && error.status < 500 && error.message) return { title: error.message }
  return { title: providerErrors.failed(name) }
}

/** Why it ended without a login session, from the code in the address. One that is not known gets the usual words. */
export function explainProviderCode(code: string, name = 'Provider'): ProviderRefusal {
  const known = Object.entries(providerErrors).find(([each]) => each === code)
  return { title: (known?.[1] ?? providerErrors.failed)(name) }
}

/** Of a window that came back it is only known that nobody is signed in, so the words fit every reason. */
export function explainNoSession(name: string): ProviderRefusal {
  return {
    title: providerErrors.failed(name),
    message: `If you have an account with a password, sign in with it, then connect ${name} in Settings.`,
  }
}
