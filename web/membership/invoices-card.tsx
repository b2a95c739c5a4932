import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { invoicePdfPath } from '#contract/membership.ts'
import type { Invoice } from '#contract/membership.ts'
import { api } from '#web/api.ts'
import { formatDate, formatMoney } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'

/** The member's invoices, the latest first, each with its file. */
export function InvoicesCard() {
  const invoices = useInfiniteQuery(
    api.membership.listInvoices.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  )
  const rows = invoices.data?.pages.flatMap((page) => page.items)
  return (
    <Card title="Invoices" padding="none">
      <Table
        caption="Your invoices"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        expected={2}
        error={invoices.error}
        onRetry={() => void invoices.refetch()}
        empty={{
          icon: <ReceiptText />,
          title: 'No invoices yet',
          text: 'The first one appears here with your first payment.',
        }}
      />
      {rows && rows.length > 0 ? (
        <LoadMore
          hasMore={invoices.hasNextPage}
          busy={invoices.isFetchingNextPage}
          onLoadMore={() => void invoices.fetchNextPage()}
          shown={rows.length}
          noun={['invoice', 'invoices']}
        />
      ) : null}
    </Card>
  )
}

const columns: Column<Invoice>[] = [
  {
    id: 'at',
    header: 'Date',
    cell: (invoice) => (
      <>
        <span className="whitespace-nowrap">{formatDate(invoice.at)}</span>
        <span className="mt-1 block sm:hidden">
          <Status invoice={invoice} />
        </span>
      </>
    ),
  },
  {
    id: 'period',
    header: 'Period',
    wide: true,
    cell: ({ periodStart, periodEnd }) => `${formatDate(periodStart)} to ${formatDate(periodEnd)}`,
  },
  { id: 'number', header: 'Number', wide: true, cell: ({ number }) => number ?? '–' },
  { id: 'status', header: 'Status', wide: true, cell: (invoice) => <Status invoice={invoice} /> },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    cell: ({ totalCents, taxCents }) => (
      <>
        {formatMoney(totalCents)}
        {taxCents > 0 ? (
          <span className="block text-12 text-ink-3">{formatMoney(taxCents)} of it taxes</span>
        ) : null}
      </>
    ),
  },
  {
    id: 'file',
    header: 'File',
    quiet: true,
    align: 'right',
    cell: ({ id, number, at, hasPdf }) =>
      hasPdf ? (
        <LinkButton
          size="sm"
          external
          href={invoicePdfPath(id)}
          icon={<Download aria-hidden="true" />}
          aria-label={`PDF of invoice ${number ?? formatDate(at)}, opens in a new tab`}
        >
          PDF
        </LinkButton>
      ) : (
        '–'
      ),
  },
]

function Status({ invoice: { status, refundedCents, totalCents } }: { invoice: Invoice }) {
  if (refundedCents > 0)
    return (
      <Badge>{refundedCents >= totalCents ? 'Refunded' : `${formatMoney(refundedCents)} refunded`}</Badge>
    )
  const { label, tone } = statuses[status]
  return <Badge tone={tone}>{label}</Badge>
}

const statuses = {
  open: { label: 'Not paid', tone: 'warning' },
  paid: { label: 'Paid', tone: 'success' },
  void: { label: 'Void', tone: 'neutral' },
  uncollectible: { label: 'Not collected', tone: 'danger' },
} as const
