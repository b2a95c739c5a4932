import { useQuery } from '@tanstack/react-query'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { displayNameOf } from '#contract/members.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { MemberActions } from './member-actions.tsx'
import {
  MemberActivity,
  MemberExchanges,
  MemberLedger,
  MemberMails,
  MemberStaffActions,
} from './member-lists.tsx'
import { MemberOverview } from './member-overview.tsx'

type MemberTab = 'overview' | 'ledger' | 'requests' | 'reviews' | 'offers' | 'mails' | 'activity' | 'staff'

type MemberScreenProps = { id: string; tab: MemberTab; onTab: (tab: MemberTab) => void }

/** /admin/users/:id: everything about one member. The address holds the tab. */
export function MemberScreen({ id, tab, onTab }: MemberScreenProps) {
  const query = useQuery(staffApi.memberPages.getMemberPage.queryOptions({ input: { id } }))
  if (query.data) return <Content member={query.data} tab={tab} onTab={onTab} />
  if (!query.isError) {
    return (
      <Page width="full">
        <h1 className="sr-only">Loading the member</h1>
        <Loading label="Loading the member" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="h-96 rounded-12" />
        </Loading>
      </Page>
    )
  }
  const code = refusalCode(query.error)
  return (
    <Page>
      {code === 'OWN_MATTER' ? (
        <ErrorState level={1} title="This is your own account" error={null}>
          Another member of staff looks after it. Your settings show what is yours.
        </ErrorState>
      ) : code === 'NOT_FOUND' ? (
        <ErrorState level={1} title="This member doesn’t exist" error={null}>
          They may have left the club.
        </ErrorState>
      ) : (
        <ErrorState
          level={1}
          title="The member could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      )}
    </Page>
  )
}

type ContentProps = { member: MemberPage } & Omit<MemberScreenProps, 'id'>

function Content({ member, tab, onTab }: ContentProps) {
  const { id, counts } = member
  const contents = {
    overview: <MemberOverview member={member} />,
    ledger: <MemberLedger id={id} />,
    requests: <MemberExchanges id={id} side="seller" />,
    reviews: <MemberExchanges id={id} side="reviewer" />,
    offers: <MemberExchanges id={id} side="offers" />,
    mails: <MemberMails id={id} />,
    activity: <MemberActivity id={id} />,
    staff: <MemberStaffActions id={id} />,
  }
  return (
    <Page width="full">
      <PageHeader
        breadcrumb={[{ label: 'Users', href: paths.adminUsers() }]}
        title={displayNameOf(member)}
        badge={member.suspension ? <StatusBadge status="suspended" /> : null}
        help={<span className="break-all">{member.email}</span>}
        action={<MemberActions member={member} />}
      />
      <Tabs
        label="About this member"
        value={tab}
        onValueChange={onTab}
        tabs={[
          { value: 'overview', label: 'Overview' },
          { value: 'ledger', label: 'Ledger' },
          { value: 'requests', label: 'Requests', count: counts.requests },
          { value: 'reviews', label: 'Reviews written', count: counts.reviews },
          { value: 'offers', label: 'Offers', count: counts.offers },
          { value: 'mails', label: 'Mails' },
          { value: 'activity', label: 'Activity' },
          { value: 'staff', label: 'Staff actions' },
        ]}
      >
        {contents[tab]}
      </Tabs>
    </Page>
  )
}
