import { Outlet, useSearch } from '@tanstack/react-router'
import { safeReturnPath } from '#contract/return-path.ts'
import { useIsLeaving, useSession } from '#web/accounts/session.ts'
import { Redirect } from './redirect.tsx'

/** The layout of the pages for visitors. Redirects members, including those who sign in in another tab. */
export function GuestLayout() {
  const session = useSession()
  const isLeaving = useIsLeaving()
  const { returnTo } = useSearch({ strict: false })
  if (session.state === 'authed' && !isLeaving) {
    return <Redirect to={safeReturnPath(returnTo, location.origin)} />
  }
  return <Outlet />
}
