// What needs a person: open disputes, orders that failed, and cards that several accounts use.
import { CreditCard, Gavel, SendToBack } from 'lucide-react'
import type { Money } from '#contract/staff/money.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'

/** Payments that a bank disputes. Their members don't take part meanwhile. */
export function DisputesPart({ disputes }: Pick<Money, 'disputes'>) {
  return (
    <Card
      title="Open disputes"
      help="Answered on the payment partner’s own pages. Their members don’t take part meanwhile."
      padding="none"
    >
      <Table
        caption="Open disputes"
        dense
        columns={disputeColumns}
        rows={disputes}
        rowKey={({ id }) => id}
        empty={{ icon: <Gavel />, title: 'No open disputes' }}
      />
    </Card>
  )
}

const disputeColumns: Column<Money['disputes'][number]>[] = [
  {
    id: 'member',
    header: 'Member',
    cell: ({ memberId, name }) => <TextLink href={paths.adminUser(memberId)}>{name}</TextLink>,
  },
  { id: 'amount', header: 'Amount', align: 'right', cell: ({ cents }) => formatMoney(cents) },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => spelled(reason) },
  { id: 'status', header: 'Status', cell: ({ status }) => spelled(status) },
  { id: 'opened', header: 'Opened', align: 'right', cell: ({ openedAt }) => formatDateTime(openedAt) },
]

/** Orders to the payment partner that failed as often as they may. */
export function FailedOrdersPart({ orders }: { orders: Money['failedOrders'] }) {
  return (
    <Card
      title="Failed orders"
      help="Requests that the payment partner didn’t carry out. Complete them on its own pages."
      padding="none"
    >
      <Table
        caption="Failed orders"
        dense
        columns={orderColumns}
        rows={orders}
        rowKey={({ id }) => id}
        empty={{ icon: <SendToBack />, title: 'No failed orders' }}
      />
    </Card>
  )
}

const orderColumns: Column<Money['failedOrders'][number]>[] = [
  { id: 'kind', header: 'Order', cell: ({ kind }) => spelled(kind) },
  {
    id: 'member',
    header: 'Member',
    cell: ({ memberId, kind }) => (
      <TextLink href={paths.adminUser(memberId)} aria-label={`Member of the order ${kind}`}>
        Open
      </TextLink>
    ),
  },
  { id: 'error', header: 'Error', cell: ({ error }) => <span className="wrap-anywhere">{error}</span> },
  { id: 'failed', header: 'Failed', align: 'right', cell: ({ failedAt }) => formatDateTime(failedAt) },
]

/** Accounts that paid with one card. The rotation never matches them with each other. */
export function SharedCardsPart({ cards }: { cards: Money['sharedCards'] }) {
  return (
    <Card
      title="Shared cards"
      help="Accounts that paid with the same card. They are never matched with each other."
      padding="none"
    >
      <Table
        caption="Shared cards"
        dense
        columns={cardColumns}
        rows={cards.map((card) => ({ ...card, key: card.members.map(({ id }) => id).join() }))}
        rowKey={({ key }) => key}
        empty={{ icon: <CreditCard />, title: 'No shared cards' }}
      />
    </Card>
  )
}

const cardColumns: Column<Money['sharedCards'][number]>[] = [
  {
    id: 'members',
    header: 'Accounts',
    cell: ({ members }) => (
      <span className="flex flex-wrap gap-x-4 gap-y-1">
        {members.map(({ id, name }) => (
          <TextLink key={id} href={paths.adminUser(id)}>
            {name}
          </TextLink>
        ))}
      </span>
    ),
  },
  { id: 'since', header: 'Since', align: 'right', cell: ({ since }) => formatDateTime(since) },
]

/** 'Needs response' for 'needs_response'. */
function spelled(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
