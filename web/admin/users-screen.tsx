import { useInfiniteQuery } from '@tanstack/react-query'
import type { UserRow } from '#contract/staff/users.ts'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { staffApi } from './api.ts'

/** The members, newest first. */
export function UsersScreen() {
  const users = useInfiniteQuery(
    staffApi.users.listUsers.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  return (
    <Page width="full">
      <PageHeader title="Users" />
      <Table
        caption="Users"
        columns={columns}
        rows={users.data?.pages.flatMap(({ items }) => items)}
        rowKey={({ id }) => id}
        failed={users.isError}
        onRetry={() => void users.refetch()}
      />
    </Page>
  )
}

const columns: Column<UserRow>[] = [
  { id: 'email', header: 'Email', cell: ({ email }) => email },
  { id: 'name', header: 'Name', cell: ({ fullName }) => fullName ?? 'N/A' },
]
