import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasSessionEnded, useIsLeaving } from '#web/accounts/session.ts'
import { paths } from '#web/paths.ts'
import { Redirect } from './redirect.tsx'

/** Leads from a page that needs a session to the sign-in, and back. `meanwhile` is shown until then. */
export function ToSignIn({ meanwhile }: { meanwhile: ReactNode }) {
  const isLeaving = useIsLeaving()
  const here = useLocation({ select: ({ href }) => href })
  // A redirect is already in progress: each navigation checks the session again, which mounts this once
  // more. A second redirect would use the sign-in page as its own return path.
  if (isLeaving || here.startsWith(paths.signIn())) return meanwhile
  return (
    <Redirect
      to={paths.signIn({
        reason: hasSessionEnded() ? 'session_ended' : undefined,
        returnTo: here === paths.dashboard() ? undefined : here,
      })}
    />
  )
}
