import { useQuery } from '@tanstack/react-query'
import { longestRunMinutes } from '#contract/staff/health.ts'
import type { InvariantRun } from '#contract/staff/health.ts'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import { staffApi, staffClient } from '../api.ts'
import { useAdminsOnly, useChange } from './changes.ts'
import { CsvButton } from '../csv-button.tsx'
import { everyMs, Part } from './part.tsx'

const help =
  'Rules that the data must never break. A worker checks them every ten minutes, or less often where that ' +
  'takes minutes.'

/** Whether the rules of the data hold: the latest runs, and a button for one now. */
export function InvariantsPart() {
  const invariants = useQuery({
    ...staffApi.health.getInvariants.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.runs.some(isGoing) ? 1_000 : everyMs.part),
  })
  const adminsOnly = useAdminsOnly()
  const { change, busy } = useChange()
  return (
    <Part
      title="Invariants"
      help={help}
      query={invariants}
      action={
        <Button
          size="sm"
          busy={busy('run') || invariants.data?.runs.some(isGoing)}
          busyLabel="Running..."
          disabledReason={adminsOnly}
          onClick={() =>
            change({
              key: 'run',
              said: 'The check has started',
              call: () => staffClient.health.runInvariants(),
            })
          }
        >
          Run now
        </Button>
      }
    >
      {({ rules, runs }) => (
        <>
          <div className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3">
            <p className="min-w-0 flex-1 text-13 text-pretty text-ink-2">
              The chain of the ledger as a file, for an auditor with scripts/verify-ledger.mjs. It names no
              member.
            </p>
            <CsvButton name="ledger" noun="Ledger" filter={{}} rows={undefined} />
          </div>
          <Result rules={rules} run={runs.find(({ finishedAt }) => finishedAt !== null)} />
          {runs.length > 0 ? (
            <details className="border-t border-line px-5 py-3">
              <summary className="text-13 font-medium text-ink">Latest runs</summary>
              <div className="-mx-5 mt-2">
                <Table
                  caption="Latest runs"
                  dense
                  rows={runs}
                  rowKey={({ id }) => id}
                  columns={[
                    { id: 'at', header: 'Asked for', cell: ({ requestedAt }) => formatDateTime(requestedAt) },
                    { id: 'result', header: 'Result', cell: (run) => <RunBadge run={run} /> },
                  ]}
                />
              </div>
            </details>
          ) : null}
        </>
      )}
    </Part>
  )
}

const longestMs = longestRunMinutes * 60_000

/** It waits or goes on. */
function isGoing({ finishedAt, error, requestedAt }: InvariantRun) {
  return finishedAt === null && error === null && Date.now() - Date.parse(requestedAt) < longestMs
}

function Result({ rules, run }: { rules: number; run: InvariantRun | undefined }) {
  if (!run) return <p className="px-5 py-4 text-14 text-ink-2">No run has finished yet.</p>
  const at = formatDateTime(run.finishedAt ?? run.requestedAt)
  if (run.breaches.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-2 px-5 py-4 text-14 text-ink-2">
        <Badge tone="success" dot>
          All hold
        </Badge>
        {formatNumber(rules)} rules checked on {at}.
      </p>
    )
  }
  return (
    <Alert tone="danger" announce={false} className="m-5" title={`Broken on ${at}`}>
      <ul className="mt-1 list-disc pl-5">
        {run.breaches.map(({ invariant, rows }) => (
          <li key={invariant}>
            {invariant}: {formatNumber(rows)} {rows === 1 ? 'row' : 'rows'}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function RunBadge({ run }: { run: InvariantRun }) {
  if (run.error !== null) return <Badge tone="danger">Failed: {run.error}</Badge>
  if (run.finishedAt === null) return <Badge tone="info">{run.startedAt ? 'Running' : 'Waiting'}</Badge>
  if (run.breaches.length === 0) return <Badge tone="success">All hold</Badge>
  return <Badge tone="danger">{formatNumber(run.breaches.length)} broken</Badge>
}
