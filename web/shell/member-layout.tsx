import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Me } from '#contract/members.ts'
import { isOver } from '#contract/membership.ts'
import { useRecheckWhile, useSession } from '#web/accounts/session.ts'
import { watchHands } from '#web/matching/hands.ts'
import { useLiveStatus } from '#web/kit/live.ts'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { useCurrentOffer } from '#web/matching/current-offer.ts'
import { clearDashboardTime } from '#web/matching/dashboard-time.ts'
import { useRenewedPush } from '#web/notifications/renewed-push.ts'
import { paths } from '#web/paths.ts'
import { MemberFrame, PlaceholderFrame } from './frame.tsx'
import { useLiveUpdates } from './live.ts'
import { usePresence } from './presence.ts'
import { ToSignIn } from './to-sign-in.tsx'

const OfferDialog = lazy(async () => ({
  default: (await import('#web/matching/offer-dialog.tsx')).OfferDialog,
}))

const UsernameDialog = lazy(async () => ({
  default: (await import('#web/accounts/username-dialog.tsx')).UsernameDialog,
}))

const BouncedNotice = lazy(async () => ({
  default: (await import('#web/accounts/bounced-notice.tsx')).BouncedNotice,
}))

const SuspendedNotice = lazy(async () => ({
  default: (await import('#web/members/suspended-notice.tsx')).SuspendedNotice,
}))

const MembershipNotice = lazy(async () => ({
  default: (await import('#web/membership/membership-notice.tsx')).MembershipNotice,
}))

const StaffNotice = lazy(async () => ({
  default: (await import('#web/accounts/staff-notice.tsx')).StaffNotice,
}))

/** Guards every member page: a skeleton while the session loads, then the page or a redirect to sign in. */
export function MemberLayout() {
  const session = useSession()
  switch (session.state) {
    case 'authed':
      return <MemberPages me={session.me} />
    case 'signed_out':
      return <ToSignIn meanwhile={<PageSkeleton />} />
    case 'failed':
      return (
        <PlaceholderFrame email="Not signed in">
          <Page>
            <ErrorState
              level={1}
              title="Your club could not be loaded"
              onRetry={session.retry}
              retrying={session.retrying}
              error={session.error}
            />
          </Page>
        </PlaceholderFrame>
      )
    case 'loading':
      return <PageSkeleton />
  }
}

function MemberPages({ me }: { me: Me }) {
  useLiveUpdates()
  useRecheckWhile(useLiveStatus() === 'lost')
  usePresence()
  useRenewedPush(me.id)
  const here = useLocation({ select: ({ pathname }) => pathname })
  const isInSettings = here.startsWith(paths.settings())
  return (
    <MemberFrame me={me}>
      {me.emailBounced ? (
        <Suspense fallback={null}>
          <BouncedNotice email={me.email} />
        </Suspense>
      ) : null}
      {me.suspension ? (
        <Suspense fallback={null}>
          <SuspendedNotice suspension={me.suspension} />
        </Suspense>
      ) : null}
      {me.membership.state === 'active' || isKeptOut(me) || here === paths.billing() ? null : (
        <Suspense fallback={null}>
          <MembershipNotice me={me} />
        </Suspense>
      )}
      {needsTwoFactor(me) ? (
        <Suspense fallback={null}>
          <StaffNotice isInSettings={isInSettings} />
        </Suspense>
      ) : null}
      <Outlet />
      <Suspense fallback={null}>
        <Offers />
        {me.username === null ? <UsernameDialog /> : null}
      </Suspense>
    </MemberFrame>
  )
}

/** A suspended account without a membership can’t join: it is not invited to. */
function isKeptOut({ suspension, membership }: Me): boolean {
  return Boolean(suspension) && isOver(membership.state)
}

/** Staff pages require a second factor. */
function needsTwoFactor({ role, twoFactor }: Me): boolean {
  return role !== 'user' && !twoFactor
}

/** The dialog of offers. Its code is loaded with the first offer. */
function Offers() {
  const { offer } = useCurrentOffer()
  const [wasOffered, setWasOffered] = useState(false)
  if (offer && !wasOffered) setWasOffered(true)
  // The pointer is outside React. It may rest somewhere long before an offer arrives.
  useEffect(() => watchHands(), [])
  // The next person to sign in here has not seen the dashboard.
  useEffect(() => clearDashboardTime, [])
  return wasOffered ? <OfferDialog /> : null
}

function PageSkeleton() {
  return (
    <PlaceholderFrame email="Loading…">
      <Page>
        <h1 className="sr-only">Loading your club</h1>
        <Loading label="Loading your club" className="flex flex-col gap-6">
          <div className="flex flex-col gap-2">
            <Skeleton className="h-7 w-44" />
            <Skeleton className="h-5 w-72 max-w-full" />
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <Skeleton className="h-28 rounded-12" />
            <Skeleton className="h-28 rounded-12" />
          </div>
          <Skeleton className="h-64 rounded-12" />
        </Loading>
      </Page>
    </PlaceholderFrame>
  )
}
