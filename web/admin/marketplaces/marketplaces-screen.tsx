import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import type { RegisterRow } from '#contract/staff/marketplaces.ts'
import { formatDay } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { useListKeys } from '../list-keys.ts'
import { formatTally } from '../list-tools.tsx'
import { checkState, laneLabels } from './marketplace-labels.ts'
import { useMayChange } from './use-may-change.ts'

/** The register: every marketplace on which products can be connected, overdue checks first. */
export function MarketplacesScreen() {
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const register = useQuery(staffApi.marketplaces.listRegister.queryOptions())
  const rows = register.data
  const overdue = rows?.filter(({ overdueDays }) => overdueDays > 0).length ?? 0
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen(index) {
      const row = rows?.[index]
      if (row) void navigate({ to: paths.adminMarketplace(row.id) })
    },
  })
  const add = mayChange ? (
    <LinkButton variant="primary" href={paths.adminNewMarketplace()}>
      Add marketplace
    </LinkButton>
  ) : null
  return (
    <Page width="full">
      <PageHeader
        title="Marketplaces"
        help="Products can be connected only to these. Read each policy again by its date."
        action={add}
      />
      {overdue > 0 ? (
        <Alert
          tone="warning"
          title={overdue === 1 ? 'A policy is to be read again' : `${overdue} policies are to be read again`}
        >
          Open the policy, compare the sentence the club relies on, and record the reading.
        </Alert>
      ) : null}
      <Card padding="none">
        <Table
          caption="Marketplaces"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={rowProps}
          error={register.error}
          onRetry={() => void register.refetch()}
          empty={{
            icon: <Store />,
            title: 'No marketplace is listed yet',
            text: 'Until one is, members can connect no products.',
            action: add,
          }}
        />
      </Card>
    </Page>
  )
}

const columns: Column<RegisterRow>[] = [
  {
    id: 'name',
    header: 'Marketplace',
    cell: ({ id, name, host }) => (
      <span className="flex min-w-0 flex-col">
        <TextLink href={paths.adminMarketplace(id)}>{name}</TextLink>
        <span className="text-12 wrap-anywhere text-ink-3">{host}</span>
      </span>
    ),
  },
  {
    id: 'lane',
    header: 'Lane',
    cell: ({ lane }) => <Badge tone={laneLabels[lane].tone}>{laneLabels[lane].label}</Badge>,
  },
  {
    id: 'check',
    header: 'Next check',
    cell: ({ nextCheckOn, overdueDays }) => {
      const { text, tone } = checkState(overdueDays)
      return (
        <span className="flex flex-col items-start gap-1">
          <Badge tone={tone}>{text}</Badge>
          <span className="text-12 text-ink-3">{formatDay(nextCheckOn)}</span>
        </span>
      )
    },
  },
  {
    id: 'read',
    header: 'Read',
    wide: true,
    cell: ({ readOn, readBy }) => (
      <span className="flex flex-col">
        {formatDay(readOn)}
        <span className="text-12 wrap-anywhere text-ink-3">by {readBy}</span>
      </span>
    ),
  },
  {
    id: 'products',
    header: 'Products',
    align: 'right',
    wide: true,
    cell: ({ products }) => formatTally(products),
  },
  {
    id: 'requests',
    header: 'Open requests',
    align: 'right',
    wide: true,
    cell: ({ openRequests }) => formatTally(openRequests),
  },
  {
    id: 'reviews',
    header: 'In progress',
    align: 'right',
    wide: true,
    cell: ({ inProgress }) => formatTally(inProgress),
  },
]
