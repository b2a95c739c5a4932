import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { List } from 'lucide-react'
import { useState } from 'react'
import { mayCall, rights } from '#contract/rights.ts'
import type { MailRow, StaffActionRow } from '#contract/staff/exchanges.ts'
import type { ActivityRow, LedgerRow, MemberExchangeRow } from '#contract/staff/member-page.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import type { Noun } from '#web/kit/ui/load-more.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { ActionDialog } from '../action-dialog.tsx'
import { staffApi, staffClient } from '../api.ts'
import { exchangeColumns } from '../exchanges/exchange-columns.tsx'
import { sentenceOf } from '../exchanges/exchange-labels.ts'
import { useListKeys } from '../list-keys.ts'
import { entryLabels } from './member-labels.ts'

const nextPage = {
  initialPageParam: undefined,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
}
type Cursor = string | undefined

type Pages<Row> = {
  data: { pages: { items: Row[] }[] } | undefined
  error: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

type ListProps<Row> = {
  query: Pages<Row>
  caption: string
  noun: Noun
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Where Enter leads, if the rows lead anywhere. */
  hrefOf?: (row: Row) => string | null
}

/** One list of a member's page. */
function PagedTable<Row>({ query, caption, noun, columns, keyOf, hrefOf }: ListProps<Row>) {
  const navigate = useNavigate()
  const rows = query.data?.pages.flatMap(({ items }) => items)
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (at) => {
      const row = rows?.[at]
      const href = row === undefined ? null : hrefOf?.(row)
      if (href) void navigate({ href })
    },
    onEnd: () => void (query.hasNextPage && query.fetchNextPage()),
  })
  return (
    <Card padding="none">
      <Table
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowProps={rowProps}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={{ icon: <List />, title: `No ${noun[1]}` }}
      />
      {rows && rows.length > 0 ? (
        <LoadMore
          shown={rows.length}
          noun={noun}
          hasMore={query.hasNextPage}
          busy={query.isFetchingNextPage}
          onLoadMore={() => void query.fetchNextPage()}
        />
      ) : null}
    </Card>
  )
}

/** The requests of a member, the reviews they write, or the offers they got. */
export function MemberExchanges({ id, side }: { id: string; side: 'seller' | 'reviewer' | 'offers' }) {
  const query = useInfiniteQuery(
    staffApi.memberPages.listMemberExchanges.infiniteOptions({
      input: (cursor: Cursor) => ({ id, side, cursor }),
      ...nextPage,
    }),
  )
  const columns: Column<MemberExchangeRow>[] = [
    ...exchangeColumns.filter((column) => column.id !== 'created'),
    ...(side === 'offers'
      ? [
          {
            id: 'note',
            header: 'Answer',
            cell: ({ note }: MemberExchangeRow) => (note ? sentenceOf(note) : '–'),
          },
        ]
      : []),
    {
      id: 'at',
      header: side === 'seller' ? 'Asked' : side === 'reviewer' ? 'Accepted' : 'Offered',
      align: 'right',
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    },
  ]
  const captions = { seller: 'Requests', reviewer: 'Reviews written', offers: 'Offers' }
  const nouns = {
    seller: ['request', 'requests'],
    reviewer: ['review written', 'reviews written'],
    offers: ['offer', 'offers'],
  } as const
  return (
    <PagedTable
      query={query}
      caption={captions[side]}
      noun={nouns[side]}
      columns={columns}
      keyOf={({ key }) => key}
      hrefOf={(row) => paths.adminExchange(row.id)}
    />
  )
}

/** The ledger with its running balance. Admins correct an entry by its opposite. */
export function MemberLedger({ id }: { id: string }) {
  const { data: me } = useQuery(meOptions())
  const [entry, setEntry] = useState<LedgerRow | null>(null)
  const query = useInfiniteQuery(
    staffApi.memberPages.listMemberLedger.infiniteOptions({
      input: (cursor: Cursor) => ({ id, cursor }),
      ...nextPage,
    }),
  )
  const mayCorrect = me ? mayCall(rights.memberPages.correctEntry, me.role) : false
  const columns: Column<LedgerRow>[] = [
    {
      id: 'what',
      header: 'Entry',
      cell: ({ reason, product, exchangeId, corrected }) => (
        <>
          {entryLabels[reason]}{' '}
          {exchangeId ? (
            <TextLink href={paths.adminExchange(exchangeId)} className="inline-block min-w-32 wrap-anywhere">
              {product}
            </TextLink>
          ) : null}{' '}
          {corrected ? <Badge>Corrected</Badge> : null}
        </>
      ),
    },
    { id: 'delta', header: 'Change', align: 'right', cell: ({ delta }) => (delta > 0 ? `+${delta}` : delta) },
    { id: 'balance', header: 'Balance', align: 'right', wide: true, cell: ({ balance }) => balance },
    {
      id: 'at',
      header: 'Time',
      align: 'right',
      wide: true,
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    },
    ...(mayCorrect
      ? [
          {
            id: 'correct',
            header: 'Correct',
            quiet: true,
            align: 'right' as const,
            cell: (row: LedgerRow) =>
              row.corrected || row.reason === 'settled' ? null : (
                <Button size="sm" onClick={() => setEntry(row)}>
                  Correct
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <PagedTable
        query={query}
        caption="Ledger"
        noun={['ledger entry', 'ledger entries']}
        columns={columns}
        keyOf={(row) => row.id}
        hrefOf={({ exchangeId }) => (exchangeId ? paths.adminExchange(exchangeId) : null)}
      />
      {entry ? (
        <ActionDialog
          onClose={() => setEntry(null)}
          action={{
            title: 'Correct this entry?',
            description:
              `The entry stays. Another one of ${entry.delta > 0 ? '−' : '+'}${Math.abs(entry.delta)} ` +
              'is added, which the club takes. The other side’s entry is not changed.',
            help: 'The member reads it. Never name the other side.',
            confirm: 'Correct the entry',
            tone: 'danger',
            done: 'Entry corrected',
            run: (reason, context) =>
              staffClient.memberPages.correctEntry({ id, entryId: entry.id, reason }, { context }),
          }}
        />
      ) : null}
    </>
  )
}

const mailTones = { waiting: 'info', sent: 'success', failed: 'danger', bounced: 'danger' } as const

/** Which mails went to a member, and how it went. */
export function MemberMails({ id }: { id: string }) {
  const query = useInfiniteQuery(
    staffApi.memberPages.listMemberMails.infiniteOptions({
      input: (cursor: Cursor) => ({ id, cursor }),
      ...nextPage,
    }),
  )
  const columns: Column<MailRow>[] = [
    { id: 'template', header: 'Mail', cell: ({ template }) => sentenceOf(template) },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <Badge tone={mailTones[state]}>{sentenceOf(state)}</Badge>,
    },
    {
      id: 'at',
      header: 'Time',
      align: 'right',
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    },
  ]
  return (
    <PagedTable
      query={query}
      caption="Mails"
      noun={['mail', 'mails']}
      columns={columns}
      keyOf={(row) => row.id}
    />
  )
}

/** What the activity log holds about a member. */
export function MemberActivity({ id }: { id: string }) {
  const query = useInfiniteQuery(
    staffApi.memberPages.listMemberActivity.infiniteOptions({
      input: (cursor: Cursor) => ({ id, cursor }),
      ...nextPage,
    }),
  )
  const columns: Column<ActivityRow>[] = [
    { id: 'action', header: 'Action', cell: ({ action }) => sentenceOf(action) },
    {
      id: 'details',
      header: 'Details',
      wide: true,
      cell: ({ details }) => <span className="wrap-anywhere text-ink-2">{written(details)}</span>,
    },
    {
      id: 'at',
      header: 'Time',
      align: 'right',
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    },
  ]
  return (
    <PagedTable
      query={query}
      caption="Activity"
      noun={['log entry', 'log entries']}
      columns={columns}
      keyOf={(row) => row.id}
    />
  )
}

/** What staff did about a member, and who looked at their page. */
export function MemberStaffActions({ id }: { id: string }) {
  const query = useInfiniteQuery(
    staffApi.memberPages.listMemberActions.infiniteOptions({
      input: (cursor: Cursor) => ({ id, cursor }),
      ...nextPage,
    }),
  )
  const columns: Column<StaffActionRow>[] = [
    {
      id: 'action',
      header: 'Action',
      cell: ({ action, reason }) => (
        <>
          {sentenceOf(action)}
          {reason ? <p className="text-13 wrap-anywhere text-ink-2">{reason}</p> : null}
        </>
      ),
    },
    { id: 'actor', header: 'By', cell: ({ actor }) => actor ?? 'The product' },
    {
      id: 'change',
      header: 'Before and after',
      wide: true,
      cell: ({ before, after }) => (
        <span className="text-13 wrap-anywhere text-ink-2">
          {before ? written(before) : ''}
          {before && after ? ' → ' : ''}
          {after ? written(after) : ''}
        </span>
      ),
    },
    {
      id: 'at',
      header: 'Time',
      align: 'right',
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    },
  ]
  return (
    <PagedTable
      query={query}
      caption="Staff actions"
      noun={['staff action', 'staff actions']}
      columns={columns}
      keyOf={(row) => row.id}
    />
  )
}

function written(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
