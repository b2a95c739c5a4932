import { Outlet, useSearch } from '@tanstack/react-router'
import { safeReturnPath } from '#contract/return-path.ts'
import { useIsLeaving, useSession } from '#web/accounts/session.ts'
import { Redirect } from './redirect.tsx'

/** Around the pages for people who are not signed in. Whoever is, or becomes so in another tab, goes on to the club. */
export function GuestLayout() {
  const session = useSession()
  const isLeaving = useIsLeaving()
  const { returnTo } = useSearch({ strict: false })
  if (session.state === 'authed' && !isLeaving) {
    return <Redirect to={safeReturnPath(returnTo, location.origin)} />
  }
  return <Outlet />
}
