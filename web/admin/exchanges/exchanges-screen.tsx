import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Handshake } from 'lucide-react'
import { exchangeStates } from '#contract/staff/exchanges.ts'
import type { ExchangeState } from '#contract/staff/exchanges.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { useListKeys } from '../list-keys.ts'

import { Shortcuts } from '../shortcuts.tsx'
import { exchangeColumns } from './exchange-columns.tsx'

export type ExchangeFilter = { search?: string; state?: ExchangeState }
type ExchangesScreenProps = ExchangeFilter & { onFilter: (filter: ExchangeFilter) => void }

const states = Object.entries(exchangeStates).map(([value, label]) => ({ value, label }))
const all = 'all'

const keys = [
  { key: 'j', does: 'Next exchange' },
  { key: 'k', does: 'Previous exchange' },
  { key: 'Enter', does: 'Open the exchange' },
  { key: '/', does: 'Search' },
]

/** /admin/exchanges: every exchange, found by anything that is known of it. The address holds the filter. */
export function ExchangesScreen({ onFilter, ...filter }: ExchangesScreenProps) {
  const navigate = useNavigate()
  const list = useInfiniteQuery(
    staffApi.exchanges.listExchanges.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
    }),
  )
  const rows = list.data?.pages.flatMap(({ items }) => items)
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => void navigate({ href: paths.adminExchange(rows?.[at]?.id ?? '') }),
    onEnd: () => void (list.hasNextPage && list.fetchNextPage()),
  })
  return (
    <Page width="full">
      <PageHeader
        title="Exchanges"
        help="From the request to the ledger. Exchanges that you’re part of are not listed."
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto sm:flex-1">
          <SearchField
            label="Search exchanges"
            placeholder="Email, name, title, link, order number, ID or text..."
            value={filter.search ?? ''}
            onSearch={(search) => onFilter({ ...filter, search: search || undefined })}
          />
          <Select
            label="State"
            options={[{ value: all, label: 'All states' }, ...states]}
            value={filter.state ?? all}
            onValueChange={(state) =>
              // The options are the states and `all`.
              onFilter({ ...filter, state: !state || state === all ? undefined : (state as ExchangeState) })
            }
            className="w-40"
          />
        </div>
        <Shortcuts keys={keys} />
      </div>
      <Card padding="none">
        <Table
          caption="Exchanges"
          columns={exchangeColumns}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={rowProps}
          error={list.error}
          onRetry={() => void list.refetch()}
          empty={{
            icon: <Handshake />,
            title: 'No exchanges found',
            text: 'Search for another part of it, or choose all states.',
          }}
        />
        {rows && rows.length > 0 ? (
          <LoadMore
            shown={rows.length}
            noun={['exchange', 'exchanges']}
            hasMore={list.hasNextPage}
            busy={list.isFetchingNextPage}
            onLoadMore={() => void list.fetchNextPage()}
          />
        ) : null}
      </Card>
    </Page>
  )
}
