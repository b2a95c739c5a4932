import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MessageFilter, MessageRow } from '#contract/staff/support-desk.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Link } from '#web/kit/ui/link.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { staffApi, staffClient } from '../api.ts'
import { CsvButton, CsvNote } from '../csv-button.tsx'
import { useListKeys } from '../list-keys.ts'
import { formatTally } from '../list-tools.tsx'
import { Shortcuts } from '../shortcuts.tsx'
import { SavedReplies } from './saved-replies.tsx'

type SupportScreenProps = MessageFilter & { onSearch: (search: MessageFilter) => void }

/** /admin/support: the messages to our staff. The address holds the filters and the order. */
export function SupportScreen({ onSearch, ...filter }: SupportScreenProps) {
  const navigate = useNavigate()
  const messages = useInfiniteQuery(
    staffApi.supportDesk.listMessages.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: 30_000,
    }),
  )
  useLoadFailure(messages.isError)
  const [managing, setManaging] = useState(false)
  const rows = messages.data?.pages.flatMap(({ items }) => items)
  const counts = messages.data?.pages[0]
  const resolve = useResolve()
  const { index, rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => void navigate({ href: paths.adminThread(rows?.[at]?.id ?? '') }),
    onEnd: () => void (messages.hasNextPage && messages.fetchNextPage()),
  })
  const search = useRef<HTMLDivElement>(null)
  const current = index === null ? undefined : rows?.[index]

  return (
    <Page width="full">
      <PageHeader
        title="Support"
        help="Messages from members and visitors. Answers go out by email."
        action={
          <>
            <Button onClick={() => setManaging(true)}>Saved replies</Button>
            <CsvButton
              name="support"
              noun="Support messages"
              filter={filter}
              rows={counts && formatTally(counts.matching)}
            />
          </>
        }
      />
      <div className="flex flex-wrap items-end gap-3">
        <div ref={search} className="grow sm:max-w-80">
          <SearchField
            label="Search messages"
            placeholder="Search messages..."
            value={filter.search ?? ''}
            onSearch={(words) => set({ search: words || undefined })}
          />
        </div>
        <Select
          label="Status"
          className="w-36"
          options={statuses}
          value={filter.status ?? 'all'}
          onValueChange={(next) => set({ status: next === 'all' || next === null ? undefined : next })}
        />
        <Select
          label="Assigned to"
          className="w-52"
          options={assignments}
          value={filter.assigned ?? 'all'}
          onValueChange={(next) => set({ assigned: next === 'all' || next === null ? undefined : next })}
        />
        <output className="ml-auto flex h-9 items-center text-13 text-ink-2 tabular">
          {counts ? `Showing ${formatTally(counts.matching)} of ${formatTally(counts.total)} messages` : null}
        </output>
        <Shortcuts
          keys={[
            { key: 'j', does: 'Next message' },
            { key: 'k', does: 'Previous message' },
            { key: 'Enter', does: 'Open the message' },
            {
              key: 'e',
              does: 'Resolve the message',
              run: () => current?.status === 'open' && !isBusy(resolve, current) && resolve.mutate(current),
            },
            { key: '/', does: 'Search', run: () => search.current?.querySelector('input')?.focus() },
          ]}
        />
      </div>
      <Card padding="none">
        <Table
          caption="Support messages"
          columns={columnsWith(resolve)}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={rowProps}
          sort={{ column: 'date', direction: filter.order === 'oldest' ? 'asc' : 'desc' }}
          onSort={({ direction }) => set({ order: direction === 'asc' ? 'oldest' : undefined })}
          error={messages.error}
          onRetry={() => void messages.refetch()}
          empty={{
            icon: <Inbox />,
            title: counts?.total.count === 0 ? 'No messages yet' : 'No messages match',
            text:
              counts?.total.count === 0
                ? 'Messages from the support and contact pages show up here.'
                : 'Try another search or status.',
          }}
        />
        {rows && rows.length > 0 ? (
          <LoadMore
            hasMore={messages.hasNextPage}
            busy={messages.isFetchingNextPage}
            onLoadMore={() => void messages.fetchNextPage()}
            shown={rows.length}
            noun={['message', 'messages']}
          />
        ) : null}
      </Card>
      <CsvNote />
      <SavedReplies open={managing} onOpenChange={setManaging} />
    </Page>
  )

  function set(change: MessageFilter) {
    onSearch({ ...filter, ...change })
  }
}

const statuses = [
  { value: 'all', label: 'All Status' },
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
] as const

const assignments = [
  { value: 'all', label: 'Assigned to anyone' },
  { value: 'me', label: 'Assigned to me' },
  { value: 'no_one', label: 'Not assigned' },
] as const

function columnsWith(resolve: ReturnType<typeof useResolve>): Column<MessageRow>[] {
  return [
    {
      id: 'from',
      header: 'From',
      cell: ({ name, email }) => (
        <>
          <span className="block max-w-48 truncate font-medium">{name}</span>
          <span className="block max-w-48 truncate text-13 text-ink-2">{email}</span>
        </>
      ),
    },
    {
      id: 'subject',
      header: 'Subject',
      cell: ({ id, subject, assignedTo }) => (
        <>
          <Link
            href={paths.adminThread(id)}
            className="block max-w-64 min-w-32 truncate rounded-4 font-medium hover:underline"
          >
            {subject}
          </Link>
          {assignedTo ? (
            <span className="block max-w-64 truncate text-13 text-ink-2">Assigned to {assignedTo.name}</span>
          ) : null}
        </>
      ),
    },
    {
      id: 'message',
      header: 'Message',
      wide: true,
      cell: ({ excerpt }) => <span className="line-clamp-2 max-w-md text-13 text-ink-2">{excerpt}</span>,
    },
    { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'date',
      header: 'Date',
      sortable: true,
      align: 'right',
      cell: ({ createdAt }) => formatDateTime(createdAt),
    },
    {
      id: 'actions',
      header: 'Actions',
      quiet: true,
      align: 'right',
      cell: (row) =>
        row.status === 'open' ? (
          <Button
            size="sm"
            busy={isBusy(resolve, row)}
            aria-label={`Resolve: ${row.subject}`}
            onClick={() => resolve.mutate(row)}
          >
            Resolve
          </Button>
        ) : null,
    },
  ]
}

function useResolve() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, version }: Pick<MessageRow, 'id' | 'version'>) =>
      staffClient.supportDesk.resolveMessage({ id, version }),
    onSuccess: () => toast({ title: 'Message marked as resolved', tone: 'success' }),
    onError: (error) =>
      toast({
        title: 'Failed to update message',
        description: refusalMessage(error, 'Nothing was changed. Try again in a minute.'),
        tone: 'danger',
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.key() }),
  })
}

function isBusy({ isPending, variables }: ReturnType<typeof useResolve>, { id }: MessageRow) {
  return isPending && variables?.id === id
}

// A load that fails is an event of the query, not of a press, and the table shows it as well.
function useLoadFailure(failed: boolean) {
  useEffect(() => {
    if (failed) toast({ title: 'Failed to load support messages', tone: 'danger' })
  }, [failed])
}
