import type { Money } from '#contract/staff/money.ts'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'

type ReconciliationPartProps = { reconciliation: Money['reconciliation']; isClosed: boolean }

/** What the nightly comparison with the payment partner found and mended. */
export function ReconciliationPart({ reconciliation, isClosed }: ReconciliationPartProps) {
  const differences = reconciliation?.differences ?? []
  return (
    <Card
      title="Reconciliation"
      help={
        'Every night, each membership is compared with the payment partner, and differences are mended. ' +
        'What could not be compared is tried again the next night.'
      }
      action={
        reconciliation === null ? null : differences.length === 0 ? (
          <Badge tone="success" dot>
            No differences
          </Badge>
        ) : (
          <Badge tone="warning" dot>
            {differences.length === 1 ? '1 difference' : `${formatNumber(differences.length)} differences`}
          </Badge>
        )
      }
      padding="none"
    >
      <p className="px-5 py-4 text-14 text-ink-2">
        {reconciliation === null
          ? isClosed
            ? 'Nothing is compared while paid membership is not open.'
            : 'It has not run yet.'
          : `Finished ${formatDateTime(reconciliation.finishedAt)}. ` +
            `${formatNumber(reconciliation.compared)} memberships were compared.`}
      </p>
      {differences.length > 0 ? (
        <Table
          caption="Differences that were found"
          dense
          columns={columns}
          rows={differences.map((each, at) => ({ ...each, key: String(at) }))}
          rowKey={({ key }) => key}
        />
      ) : null}
    </Card>
  )
}

type Difference = NonNullable<Money['reconciliation']>['differences'][number]

const columns: Column<Difference>[] = [
  {
    id: 'member',
    header: 'Member',
    cell: ({ memberId, field }) =>
      memberId === null ? (
        'None of ours'
      ) : (
        <TextLink href={paths.adminUser(memberId)} aria-label={`Member whose ${field} differed`}>
          Open
        </TextLink>
      ),
  },
  { id: 'field', header: 'What differed', cell: ({ field }) => field },
  { id: 'ours', header: 'We had', cell: ({ ours }) => ours },
  { id: 'partners', header: 'The partner said', cell: ({ partners }) => partners },
]
