import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { ledgerReasons } from '#contract/ledger.ts'
import type { LedgerEntry } from '#contract/ledger.ts'
import { api } from '#web/api.ts'
import { formatDateTime, formatMonth, formatNumber } from '#web/kit/time.ts'
import { numberToSend } from '#web/kit/refusal-messages.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { DownloadButton } from '#web/kit/ui/download-button.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { HowDrawn } from '#web/products/exchange-path.tsx'

/** Every entry of the member's ledger with the balance after it, and both files of it. */
export function LedgerTab() {
  const ledger = useInfiniteQuery(
    api.reviews.listLedger.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const entries = ledger.data?.pages.flatMap(({ items }) => items)
  const total = ledger.data?.pages[0]
  const nothing = total?.entries === 0 ? 'Your ledger has no entry yet.' : null

  async function loadMore() {
    const { isFetchNextPageError, error } = await ledger.fetchNextPage()
    if (isFetchNextPageError)
      toast({ title: 'More entries could not be loaded', description: numberToSend(error), tone: 'danger' })
  }

  return (
    <div className="flex flex-col gap-4">
      <Card padding="none" title="Ledger" help={sumLabel(total)}>
        <Table
          caption="Your ledger"
          columns={columns}
          rows={entries}
          rowKey={({ id }) => id}
          error={ledger.error}
          failedTitle="Your ledger could not be loaded"
          onRetry={() => void ledger.refetch()}
          empty={{
            icon: <Scale />,
            title: 'No entry yet',
            text: 'Each verified review adds one to its writer and takes one from its seller.',
          }}
        />
        {entries && entries.length > 0 ? (
          <LoadMore
            shown={entries.length}
            noun={['entry', 'entries']}
            hasMore={ledger.hasNextPage}
            busy={ledger.isFetchingNextPage}
            onLoadMore={() => void loadMore()}
          />
        ) : null}
      </Card>
      <Card title="Take it with you" level={2}>
        <p className="max-w-reading text-14 text-pretty text-ink-2">
          The table opens in any spreadsheet. The statement carries the club’s signature: anyone can check it
          with <TextLink href={paths.ledgerScript()}>a script</TextLink> against{' '}
          <TextLink href={paths.signingKeys()}>our public keys</TextLink>, so any change shows. It names you,
          but no products or other members. It also proves that your entries are in the{' '}
          <TextLink href={`${paths.fairness()}#ledger`}>club’s chain of entries</TextLink>.
        </p>
        <div className="mt-4 flex flex-wrap gap-2">
          <DownloadButton address={paths.ledgerFile()} name="evenhand-ledger.csv" disabledReason={nothing}>
            CSV
          </DownloadButton>
          <DownloadButton
            address={paths.statementFile()}
            name="evenhand-ledger-statement.json"
            icon={<ShieldCheck />}
            disabledReason={nothing}
          >
            Signed statement
          </DownloadButton>
        </div>
        {total && total.months.length > 0 ? <MonthlyStatements months={total.months} /> : null}
      </Card>
    </div>
  )
}

/** A signed statement of one month, by default of the newest. */
function MonthlyStatements({ months }: { months: readonly string[] }) {
  const [chosen, setChosen] = useState<string>()
  const month = chosen ?? months[0] ?? ''
  return (
    <div className="mt-5 flex flex-wrap items-end gap-2 border-t border-line pt-4">
      <Select
        label="Statement of one month"
        value={month}
        options={months.map((value) => ({ value, label: formatMonth(value) }))}
        onValueChange={(value) => setChosen(value ?? undefined)}
      />
      <DownloadButton
        address={paths.statementFile(month)}
        name={`evenhand-ledger-statement-of-${month}.json`}
        icon={<ShieldCheck />}
      >
        Download
      </DownloadButton>
    </div>
  )
}

function sumLabel(total: { entries: number; sum: number } | undefined) {
  if (!total) return 'Each verified review moves one between two members.'
  const entries = total.entries === 1 ? '1 entry' : `${formatNumber(total.entries)} entries`
  return `The sum of ${entries} is your balance: ${signed(total.sum)}.`
}

/** '+2', '0' or '−1'. */
function signed(value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return sign + formatNumber(Math.abs(value))
}

const columns: Column<LedgerEntry>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <span className="whitespace-nowrap text-ink-2">{formatDateTime(at)}</span>,
    wide: true,
  },
  { id: 'what', header: 'Entry', cell: (entry) => <Entry entry={entry} /> },
  {
    id: 'delta',
    header: 'Change',
    align: 'right',
    cell: ({ delta }) => <span className={delta > 0 ? 'text-success-ink' : undefined}>{signed(delta)}</span>,
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    cell: ({ balance }) => <span className="font-semibold text-ink">{signed(balance)}</span>,
  },
]

function Entry({ entry: { at, reason, exchange } }: { entry: LedgerEntry }) {
  return (
    <div className="py-2">
      <p className="text-14 text-ink">{ledgerReasons[reason]}</p>
      {exchange ? (
        <TextLink
          href={
            exchange.side === 'mine'
              ? paths.review(exchange.reviewId)
              : paths.receivedReview(exchange.reviewId)
          }
          className="text-13 wrap-anywhere"
        >
          {exchange.productTitle}
        </TextLink>
      ) : null}
      {exchange?.queueId ? (
        <p className="mt-0.5">
          <HowDrawn request={exchange.queueId} className="text-12" />
        </p>
      ) : null}
      <p className="text-12 text-ink-3 sm:hidden">{formatDateTime(at)}</p>
    </div>
  )
}
