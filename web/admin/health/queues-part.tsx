import { useQuery } from '@tanstack/react-query'
import type { FailedJob } from '#contract/staff/health.ts'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { staffApi, staffClient } from '../api.ts'
import { useAdminsOnly, useChange } from './changes.ts'
import { formatWait } from './format.ts'
import { everyMs, Part } from './part.tsx'
import { ReasonButton } from './reason-dialog.tsx'

/** The job queues, and the jobs that failed as often as they may. */
export function QueuesPart() {
  const queues = useQuery({ ...staffApi.health.getQueues.queryOptions(), refetchInterval: everyMs.part })
  return (
    <Part title="Jobs" help="What the workers have to do, and what failed for good." query={queues}>
      {({ queues, failed, failedCount }) => (
        <>
          <Failed jobs={failed} count={failedCount} />
          <details className="border-t border-line px-5 py-3">
            <summary className="text-13 font-medium text-ink">{formatNumber(queues.length)} queues</summary>
            <div className="-mx-5 mt-2">
              <Table
                caption="Queues"
                dense
                rows={queues}
                rowKey={({ name }) => name}
                columns={[
                  { id: 'name', header: 'Queue', cell: ({ name }) => name },
                  {
                    id: 'waiting',
                    header: 'Waiting',
                    align: 'right',
                    cell: ({ waiting }) => formatNumber(waiting),
                  },
                  {
                    id: 'active',
                    header: 'Running',
                    align: 'right',
                    cell: ({ active }) => formatNumber(active),
                  },
                  {
                    id: 'retrying',
                    header: 'To be repeated',
                    align: 'right',
                    cell: ({ retrying }) => formatNumber(retrying),
                  },
                  {
                    id: 'wait',
                    header: 'Longest wait',
                    align: 'right',
                    cell: ({ waitSeconds }) => formatWait(waitSeconds),
                  },
                ]}
              />
            </div>
          </details>
        </>
      )}
    </Part>
  )
}

function Failed({ jobs, count }: { jobs: FailedJob[]; count: number }) {
  const adminsOnly = useAdminsOnly()
  const { change, refresh, busy } = useChange()
  if (count === 0) return <p className="px-5 py-4 text-14 text-ink-2">No job has failed for good.</p>
  const columns: Column<FailedJob>[] = [
    {
      id: 'job',
      header: 'Failed job',
      cell: ({ queue, data }) => (
        <>
          <span className="block font-medium">{queue}</span>
          <code className="block max-w-64 truncate font-mono text-12 text-ink-2">{data}</code>
        </>
      ),
    },
    {
      id: 'error',
      header: 'Error',
      cell: ({ error }) => <span className="line-clamp-3 max-w-md wrap-anywhere text-13">{error}</span>,
    },
    {
      id: 'attempts',
      header: 'Attempts',
      align: 'right',
      wide: true,
      cell: ({ attempts }) => formatNumber(attempts),
    },
    {
      id: 'failed',
      header: 'Failed',
      align: 'right',
      wide: true,
      cell: ({ failedAt }) => formatDateTime(failedAt),
    },
    {
      id: 'actions',
      header: 'Actions',
      quiet: true,
      align: 'right',
      cell: ({ id, queue }) => (
        <span className="inline-flex gap-2">
          <Button
            size="sm"
            busy={busy(id)}
            disabledReason={adminsOnly}
            aria-label={`Retry: ${queue}`}
            onClick={() =>
              change({
                key: id,
                said: 'The job runs again',
                call: () => staffClient.health.retryJob({ id }),
              })
            }
          >
            Retry
          </Button>
          <ReasonButton
            label="Discard"
            about={queue}
            title="Discard this job?"
            description={`The job of ${queue} never runs again. What it should have done isn’t done.`}
            disabledReason={adminsOnly}
            onConfirm={async (reason) => {
              await staffClient.health.discardJob({ id, reason })
              await refresh()
            }}
          />
        </span>
      ),
    },
  ]
  return (
    <>
      <Table caption="Failed jobs" dense columns={columns} rows={jobs} rowKey={({ id }) => id} />
      {count > jobs.length ? (
        <p className="px-5 py-3 text-13 text-ink-2">
          The latest {jobs.length} of {formatNumber(count)} failed jobs.
        </p>
      ) : null}
    </>
  )
}
