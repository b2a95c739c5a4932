import { providerErrors } from '#contract/sign-in.ts'
import { SignInError } from './better-auth.ts'
import { NoProviderAddress } from './provider-visit.ts'

export type ProviderRefusal = { title: string; message?: string }

/** Explains an error thrown while starting a provider sign-in. */
export function explainProvider(error: unknown, name: string): ProviderRefusal {
  if (error instanceof NoProviderAddress) {
    return {
      title: providerErrors.failed(name),
      message: `${name} gave no sign-in page. This site may not be allow-listed in its authorized origins.`,
    }
  }
  if (error instanceof SignInError && error.status < 500 && error.message) return { title: error.message }
  return { title: providerErrors.failed(name) }
}

/** Explains the error code in the address after a provider sign-in. Unknown codes get the general message. */
export function explainProviderCode(code: string, name = 'Provider'): ProviderRefusal {
  const known = Object.entries(providerErrors).find(([each]) => each === code)
  return { title: (known?.[1] ?? providerErrors.failed)(name) }
}

/** Explains a provider window that returned without a login session. The text fits any reason. */
export function explainNoSession(name: string): ProviderRefusal {
  return {
    title: providerErrors.failed(name),
    message: `If you have an account with a password, sign in with it, then connect ${name} in Settings.`,
  }
}
