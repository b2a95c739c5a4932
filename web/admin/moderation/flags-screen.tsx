import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { flagKinds } from '#contract/staff/flags.ts'
import type { FlagKind, FlagRow, FlagState } from '#contract/staff/flags.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { useListKeys } from '../list-keys.ts'
import { FlagDialog } from './flag-dialog.tsx'

export type FlagSearch = {
  state?: 'closed' | undefined
  kind?: FlagKind | undefined
  flag?: string | undefined
}

/** /admin/moderation/flags: what automatic checks noticed. A person decides about each. */
export function FlagsScreen({
  state,
  kind,
  flag,
  onSearch,
}: FlagSearch & { onSearch: (search: FlagSearch) => void }) {
  const shown: FlagState = state ?? 'open'
  const list = useInfiniteQuery(
    staffApi.flags.listFlags.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, state: shown, kind }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const rows = list.data?.pages.flatMap(({ items }) => items)
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => onSearch({ state, kind, flag: rows?.[at]?.id }),
    onEnd: () => void (list.hasNextPage && list.fetchNextPage()),
  })
  return (
    <Page width="full">
      <PageHeader
        title="Flags"
        breadcrumb={[{ label: 'Moderation', href: paths.adminCases() }]}
        help={
          'What automatic checks noticed. Nothing follows from a flag until you decide. ' +
          'j and k move, Enter opens.'
        }
      />
      <Tabs
        label="Flags by state"
        tabs={[
          { value: 'open', label: 'Open', count: list.data?.pages[0]?.open },
          { value: 'closed', label: 'Closed' },
        ]}
        value={shown}
        onValueChange={(next) => onSearch({ state: next === 'closed' ? next : undefined, kind })}
      >
        <div className="mb-4 max-w-64">
          <Select
            label="Kind of flag"
            size="sm"
            options={kinds}
            value={kind ?? 'all'}
            onValueChange={(next) => onSearch({ state, kind: next === 'all' || !next ? undefined : next })}
          />
        </div>
        <Card padding="none">
          <Table
            caption="Flags"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            rowProps={rowProps}
            error={list.error}
            onRetry={() => void list.refetch()}
            empty={{
              icon: <Flag />,
              title: shown === 'open' ? 'No open flags' : 'No closed flags',
              text: 'Checks look every five minutes.',
            }}
          />
          {rows && rows.length > 0 ? (
            <LoadMore
              hasMore={list.hasNextPage}
              busy={list.isFetchingNextPage}
              onLoadMore={() => void list.fetchNextPage()}
              shown={rows.length}
              noun={['flag', 'flags']}
            />
          ) : null}
        </Card>
      </Tabs>
      {flag ? <FlagDialog key={flag} id={flag} onClose={() => onSearch({ state, kind })} /> : null}
    </Page>
  )
}

const kinds: { value: FlagKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All kinds' },
  // `entries` loses the type of the keys.
  ...(Object.entries(flagKinds) as [FlagKind, string][]).map(([value, label]) => ({ value, label })),
]

const columns: Column<FlagRow>[] = [
  {
    id: 'kind',
    header: 'Flag',
    width: '12rem',
    cell: ({ id, kind, closed }) => (
      <span className="flex flex-wrap items-center gap-2">
        <TextLink href={paths.adminFlag(id, closed ? 'closed' : undefined)}>{flagKinds[kind]}</TextLink>
        {closed ? <Badge>{closed.as === 'case' ? 'Case opened' : 'Dismissed'}</Badge> : null}
      </span>
    ),
  },
  { id: 'why', header: 'Why', cell: ({ why }) => <span className="whitespace-normal">{why}</span> },
  {
    id: 'about',
    header: 'About',
    wide: true,
    cell: ({ about }) => about.map(({ text }) => text).join(' · '),
  },
  {
    id: 'found',
    header: 'Found',
    align: 'right',
    wide: true,
    cell: ({ foundAt }) => formatDateTime(foundAt),
  },
]
