import { LogIn } from 'lucide-react'

/** The provider's own logo on its button; a general icon for a provider without one here. */
export function ProviderMark({ id }: { id: string }) {
  if (id !== 'google') return <LogIn aria-hidden="true" />
  // Google's branding guidelines ask for the mark in these colors, unchanged.
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285f4"
        d={
          'M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92a5.06 5.06 0 0 1-2.2 3.32v2.77h3.57a10.8 ' +
          '10.8 0 0 0 3.27-8.1z'
        }
      />
      <path
        fill="#34a853"
        d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77a6.6 6.6 0 0 1-9.87-3.47H2.18v2.84A11 11 0 0 0 12 23z"
      />
      <path fill="#fbbc05" d="M5.84 14.09a6.6 6.6 0 0 1 0-4.18V7.07H2.18a11 11 0 0 0 0 9.86l2.85-2.22z" />
      <path
        fill="#ea4335"
        d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15A11 11 0 0 0 2.18 7.07l3.66 2.84A6.6 6.6 0 0 1 12 5.38z"
      />
    </svg>
  )
}
