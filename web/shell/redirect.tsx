import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Goes to another page of our own, in the place of this one. */
export function Redirect({ to }: { to: string }) {
  const router = useRouter()
  // Decided once: on the way the address changes already, and a target that is made of it would change with it.
  const [target] = useState(to)
  // Where one is, is not React's: it changes once this has been drawn.
  useEffect(() => {
    void router.navigate({ href: target, replace: true })
  }, [router, target])
  return null
}
