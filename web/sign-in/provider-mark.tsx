import { LogIn } from 'lucide-react'

/** The provider's logo on its button; a general icon for a provider without one here. */
export function ProviderMark({ id }: { id: string }) {
  if (id !== 'google') return <LogIn aria-hidden="true" />
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23 12.26c0-.8-.07-1.56-.2-2.26H12v4.26h6.18a5.3 5.3 0 0 1-2.29 3.46v2.84h3.69C21.73 18.56 23 15.68 23 12.26Z"
      />
      <path
        fill="#34a853"
        d="M12 23.5c3.1 0 5.7-1.03 7.58-2.79l-3.69-2.84a6.9 6.9 0 0 1-10.3-3.63H1.8v2.94A11.5 11.5 0 0 0 12 23.5Z"
      />
      <path fill="#fbbc05" d="M5.6 14.24a6.9 6.9 0 0 1 0-4.42V6.88H1.8a11.5 11.5 0 0 0 0 10.3l3.8-2.94Z" />
      <path
        fill="#ea4335"
        d="M12 5.1c1.69 0 3.2.58 4.39 1.72l3.27-3.27A11.5 11.5 0 0 0 1.8 6.88l3.8 2.94A6.86 6.86 0 0 1 12 5.1Z"
      />
    </svg>
  )
}
