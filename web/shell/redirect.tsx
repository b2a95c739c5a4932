import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isScreen } from './router-link.tsx'

/** Replaces this page with another page of the app. */
export function Redirect({ to }: { to: string }) {
  const router = useRouter()
  // Fixed at the first render, since a target derived from the address would change during the navigation.
  const [target] = useState(to)
  // The address is outside React and changes after this has rendered.
  useEffect(() => {
    if (isScreen(target)) void router.navigate({ href: target, replace: true })
    else location.replace(target)
  }, [router, target])
  return null
}
