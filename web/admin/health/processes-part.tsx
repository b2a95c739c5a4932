import { useQuery } from '@tanstack/react-query'
import { ServerOff } from 'lucide-react'
import type { RunningProcess } from '#contract/staff/health.ts'
import { formatAgo, formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { staffApi } from '../api.ts'
import { everyMs, Part } from './part.tsx'

/** The web processes and workers, with their versions and open streams. */
export function ProcessesPart() {
  const processes = useQuery({
    ...staffApi.health.getProcesses.queryOptions(),
    refetchInterval: everyMs.part,
  })
  return (
    <Part title="Processes" help="Each reports itself every 15 seconds." query={processes}>
      {({ processes, serverTime }) => (
        <Table
          caption="Processes"
          dense
          columns={columnsAt(Date.parse(serverTime))}
          rows={processes}
          rowKey={({ id }) => id}
          empty={{
            icon: <ServerOff />,
            title: 'No process has reported',
            text: 'They report within seconds of their start.',
          }}
        />
      )}
    </Part>
  )
}

function columnsAt(now: number): Column<RunningProcess>[] {
  return [
    { id: 'kind', header: 'Process', cell: ({ kind }) => (kind === 'web' ? 'Web' : 'Worker') },
    {
      id: 'state',
      header: 'State',
      cell: ({ silent, seenAt }) =>
        silent ? (
          <Badge tone="danger" dot>
            Silent since {formatDateTime(seenAt)}
          </Badge>
        ) : (
          <Badge tone="success" dot>
            Running
          </Badge>
        ),
    },
    { id: 'version', header: 'Version', cell: ({ version }) => version },
    { id: 'node', header: 'Node', wide: true, cell: ({ node }) => node },
    { id: 'host', header: 'Machine', wide: true, cell: ({ host, pid }) => `${host}, ${pid}` },
    {
      id: 'streams',
      header: 'Streams open',
      align: 'right',
      cell: ({ streams }) => (streams === null ? '–' : formatNumber(streams)),
    },
    {
      id: 'started',
      header: 'Started',
      align: 'right',
      cell: ({ startedAt }) => <span title={formatDateTime(startedAt)}>{formatAgo(startedAt, now)}</span>,
    },
    {
      id: 'seen',
      header: 'Last report',
      align: 'right',
      wide: true,
      cell: ({ seenAt }) => <span title={formatDateTime(seenAt)}>{formatAgo(seenAt, now)}</span>,
    },
  ]
}
