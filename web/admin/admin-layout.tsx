import { Outlet } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '#contract/members.ts'
import { useSession } from '#web/accounts/session.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { Redirect } from '#web/shell/redirect.tsx'
import { ToSignIn } from '#web/shell/to-sign-in.tsx'
import { AdminFrame, useBarredPage } from './admin-frame.tsx'
import { EnrolmentScreen } from './enrolment-screen.tsx'

/** Guards every page of the staff area: for our staff alone, and with a second factor. */
export function AdminLayout() {
  const session = useSession()
  switch (session.state) {
    case 'authed':
      return session.me.role === 'user' ? <Redirect to={paths.dashboard()} /> : <StaffPages me={session.me} />
    case 'signed_out':
      return <ToSignIn meanwhile={<PageSkeleton />} />
    case 'failed':
      return (
        <Page>
          <ErrorState
            level={1}
            title="The staff area could not be loaded"
            onRetry={session.retry}
            retrying={session.retrying}
            error={session.error}
          />
        </Page>
      )
    case 'loading':
      return <PageSkeleton />
  }
}

function PageSkeleton() {
  return (
    <Page>
      <h1 className="sr-only">Loading the staff area</h1>
      <Loading label="Loading the staff area" className="flex flex-col gap-6">
        <Skeleton className="h-7 w-44" />
        <Skeleton className="h-96 rounded-12" />
      </Loading>
    </Page>
  )
}

function StaffPages({ me }: { me: Me }) {
  // It is on before the recovery codes are saved, and their dialog must stay.
  const [settingUp, setSettingUp] = useState(false)
  const barred = useBarredPage(me)
  return (
    <AdminFrame me={me}>
      {!me.twoFactor || settingUp ? (
        <EnrolmentScreen onSetup={setSettingUp} />
      ) : barred ? (
        <ForAdmins page={barred} />
      ) : (
        <Outlet />
      )}
    </AdminFrame>
  )
}

function ForAdmins({ page }: { page: string }) {
  return (
    <Page>
      <PageHeader title={page} />
      <Card>
        <EmptyState icon={<Lock />} title="For admins only">
          Your role is support. The pages that you can open are in the navigation.
        </EmptyState>
      </Card>
    </Page>
  )
}
