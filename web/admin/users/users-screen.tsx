import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '#contract/members.ts'
import type { UserFilter, UserRow } from '#contract/staff/users.ts'
import { formatDate, formatDateTime } from '#web/kit/time.ts'
import { numberToSend } from '#web/kit/refusal-messages.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column, Sort } from '#web/kit/ui/table.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { meOptions } from '#web/members/me.ts'
import { stateLabels } from '#web/membership/state-labels.ts'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { CsvButton, CsvNote } from '../csv-button.tsx'
import { useListKeys } from '../list-keys.ts'
import { Count, formatTally, memberListKeys } from '../list-tools.tsx'
import { Shortcuts } from '../shortcuts.tsx'
import { RoleDialog } from './role-dialog.tsx'
import type { RoleChange } from './role-dialog.tsx'
import { RoleSelect } from './role-select.tsx'

type UsersScreenProps = UserFilter & { onFilter: (filter: UserFilter) => void }

/** /admin/users: every member, searched and sorted on the server. The address holds search and sort. */
export function UsersScreen({ onFilter, ...filter }: UsersScreenProps) {
  const navigate = useNavigate()
  const { data: me } = useQuery(meOptions())
  const [changing, setChanging] = useState<RoleChange | null>(null)
  const users = useInfiniteQuery(
    staffApi.users.listUsers.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
    }),
  )
  const rows = users.data?.pages.flatMap(({ items }) => items)
  const counts = users.data?.pages[0]?.counts
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => void navigate({ href: paths.adminUser(rows?.[at]?.id ?? '') }),
    onEnd: () => void (users.hasNextPage && loadMore()),
  })

  async function loadMore() {
    const { isFetchNextPageError, error } = await users.fetchNextPage()
    if (isFetchNextPageError)
      toast({ title: 'Failed to load users', description: numberToSend(error), tone: 'danger' })
  }

  const columns = columnsFor({
    me,
    onRole: (user, role) => setChanging({ user, role }),
  })
  return (
    <Page width="full">
      <PageHeader
        title="Users"
        help="Every member and their role. A row opens everything about them."
        action={
          <CsvButton
            name="users"
            noun="Users"
            filter={filter}
            rows={counts ? formatTally(counts.matching) : undefined}
          />
        }
      />
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Search users"
          placeholder="Search by email, name, or role..."
          value={filter.search ?? ''}
          onSearch={(search) => onFilter({ ...filter, search: search || undefined })}
        />
        <div className="ml-auto flex items-center gap-3">
          <Count counts={counts} noun="users" />
          <Shortcuts keys={memberListKeys} />
        </div>
      </div>
      <Card padding="none">
        <Table
          caption="Users"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={rowProps}
          sort={sortOf(filter)}
          onSort={({ column, direction }) => onFilter({ ...filter, ...filterOf({ column, direction }) })}
          error={users.error}
          failedTitle="Failed to load users"
          onRetry={() => void users.refetch()}
          empty={{
            icon: <Users />,
            title: 'No users found',
            text: 'Search for another part of the email, the name or the role.',
          }}
        />
        {rows && rows.length > 0 ? (
          <LoadMore
            shown={rows.length}
            noun={['user', 'users']}
            hasMore={users.hasNextPage}
            busy={users.isFetchingNextPage}
            onLoadMore={() => void loadMore()}
          />
        ) : null}
      </Card>
      <CsvNote />
      {changing ? <RoleDialog {...changing} onClose={() => setChanging(null)} /> : null}
    </Page>
  )
}

type Viewer = {
  me: { id: string; role: Role } | undefined
  onRole: (user: UserRow, role: Role) => void
}

function columnsFor({ me, onRole }: Viewer): Column<UserRow>[] {
  return [
    {
      id: 'email',
      header: 'Email',
      sortable: true,
      cell: ({ id, email }) => (
        <TextLink href={paths.adminUser(id)} className="inline-block min-w-48 wrap-anywhere">
          {email}
        </TextLink>
      ),
    },
    { id: 'name', header: 'Name', sortable: true, cell: ({ fullName }) => fullName || 'N/A' },
    {
      id: 'role',
      header: 'Role',
      sortable: true,
      width: '9rem',
      cell: (user) => <RoleSelect user={user} me={me} onRole={(role) => onRole(user, role)} />,
    },
    {
      id: 'subscription',
      header: 'Subscription',
      cell: ({ membership, suspended }) => (
        <span className="flex flex-wrap gap-1">
          <Badge dot tone={stateLabels[membership].tone}>
            {stateLabels[membership].label}
          </Badge>
          {suspended ? <StatusBadge status="suspended" /> : null}
        </span>
      ),
    },
    {
      id: 'created',
      header: 'Created',
      sortable: true,
      align: 'right',
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formatDateTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      ),
    },
  ]
}

function sortOf({ sort, direction }: UserFilter): Sort {
  if (sort === undefined || sort === 'created') return { column: 'created', direction: direction ?? 'desc' }
  return { column: sort, direction: direction ?? 'asc' }
}

/** The address leaves out the order that the list has anyway. */
function filterOf({ column, direction }: Sort): Pick<UserFilter, 'sort' | 'direction'> {
  const sort = sorts.find((each) => each === column)
  const isUsual = sort === 'created' && direction === 'desc'
  return isUsual ? { sort: undefined, direction: undefined } : { sort, direction }
}

const sorts = ['email', 'name', 'role', 'created'] as const
