import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { UserRow } from '#contract/staff/users.ts'
import { formatNumber } from '#web/kit/time.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from './api.ts'
import { CsvButton, CsvNote } from './csv-button.tsx'
import { useListKeys } from './list-keys.ts'

/** The members, newest first. */
export function UsersScreen() {
  const navigate = useNavigate()
  const users = useInfiniteQuery(
    staffApi.users.listUsers.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const rows = users.data?.pages.flatMap(({ items }) => items)
  const count = users.data?.pages[0]?.matching
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => void navigate({ href: paths.adminUser(rows?.[at]?.id ?? '') }),
    onEnd: () => void (users.hasNextPage && users.fetchNextPage()),
  })
  return (
    <Page width="full">
      <PageHeader
        title="Users"
        action={
          <CsvButton
            name="users"
            noun="Users"
            filter={{}}
            rows={count === undefined ? undefined : formatNumber(count)}
          />
        }
      />
      <Table
        caption="Users"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowProps={rowProps}
        failed={users.isError}
        onRetry={() => void users.refetch()}
      />
      <CsvNote />
    </Page>
  )
}

const columns: Column<UserRow>[] = [
  {
    id: 'email',
    header: 'Email',
    cell: ({ id, email }) => <TextLink href={paths.adminUser(id)}>{email}</TextLink>,
  },
  { id: 'name', header: 'Name', cell: ({ fullName }) => fullName ?? 'N/A' },
]
