import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Goes to another page of our own, in the place of this one. */
export function Redirect({ to }: { to: string }) {
  const router = useRouter()
  // Where one is, is not React's: it changes once this has been drawn.
  useEffect(() => {
    void router.navigate({ href: to, replace: true })
  }, [router, to])
  return null
}
