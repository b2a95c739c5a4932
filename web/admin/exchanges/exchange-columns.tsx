import { exchangeStates } from '#contract/staff/exchanges.ts'
import type { ExchangeRow, Party } from '#contract/staff/exchanges.ts'
import { formatDate, formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'
import { stateTones } from './exchange-labels.ts'

/** The state of an exchange as a badge. */
export function StateBadge({ state }: Pick<ExchangeRow, 'state'>) {
  return (
    <Badge tone={stateTones[state]} dot>
      {exchangeStates[state]}
    </Badge>
  )
}

/** A member of an exchange, as a link to their page. */
export function PartyLink({ party }: { party: Party | null }) {
  if (!party) return <span className="text-ink-3">None yet</span>
  return (
    <TextLink href={paths.adminUser(party.id)} className="wrap-break-word">
      {party.name}
    </TextLink>
  )
}

/** The columns of a list of exchanges. */
export const exchangeColumns: Column<ExchangeRow>[] = [
  {
    id: 'product',
    header: 'Product',
    cell: ({ id, product }) => (
      <TextLink href={paths.adminExchange(id)} className="line-clamp-2 wrap-anywhere">
        {product}
      </TextLink>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'seller', header: 'Seller', wide: true, cell: ({ seller }) => <PartyLink party={seller} /> },
  { id: 'reviewer', header: 'Reviewer', wide: true, cell: ({ reviewer }) => <PartyLink party={reviewer} /> },
  {
    id: 'due',
    header: 'Due',
    wide: true,
    align: 'right',
    cell: ({ dueAt }) => (dueAt ? <time dateTime={dueAt}>{formatDateTime(dueAt)}</time> : '–'),
  },
  {
    id: 'created',
    header: 'Asked',
    align: 'right',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
  },
]
