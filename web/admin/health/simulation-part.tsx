import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Shuffle } from 'lucide-react'
import type { Simulation, Weights } from '#contract/staff/rotation.ts'
import { mayCall, rights } from '#contract/rights.ts'
import { formatAgo, formatNumber } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { NumberInput } from '#web/kit/ui/number-input.tsx'
import { Loading, SkeletonText } from '#web/kit/ui/skeleton.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { meOptions } from '#web/members/me.ts'
import { staffApi } from '../api.ts'

const fields = [
  { name: 'slatePercent', label: 'First share of the club, in %', min: 1, max: 100 },
  { name: 'slateDoublingMinutes', label: 'Minutes until it doubles', min: 1, max: 1440 },
  { name: 'givingCap', label: 'Reviews a member may be ahead', min: 1, max: 5 },
  { name: 'pairWindowDays', label: 'Pair window, in days', min: 1, max: 3650 },
  { name: 'absentHours', label: 'Absent members after, in hours', min: 0, max: 168 },
  { name: 'standbyHours', label: 'Stand-by after, in hours', min: 0, max: 336 },
  { name: 'offerMinutes', label: 'Minutes an offer stays open', min: 5, max: 1440 },
] as const satisfies { name: keyof Weights; label: string; min: number; max: number }[]

/** What other weights would do in the next draw. For admins, since it takes seconds of the database. */
export function SimulationPart() {
  const { data: me } = useQuery(meOptions())
  return me && mayCall(rights.health.simulateRotation, me.role) ? <Simulator /> : null
}

function Simulator() {
  const [weights, setWeights] = useState<Weights>({})
  const query = useQuery({
    ...staffApi.health.simulateRotation.queryOptions({ input: weights }),
    staleTime: Infinity,
  })
  // The last result, and what was typed, stay while other weights are tried or cannot be.
  const [known, setKnown] = useState(query.data)
  if (query.data && query.data !== known) setKnown(query.data)
  return (
    <Card
      title="Other weights"
      help={
        'The next draw on the rows of this moment, with today’s weights ' +
        'and with others. Nothing is changed.'
      }
      padding="none"
    >
      {known ? (
        <>
          <WeightsForm
            today={known.weights}
            busy={query.isFetching}
            onTry={(next) => {
              // The same weights again read new rows.
              if (JSON.stringify(next) === JSON.stringify(weights)) void query.refetch()
              else setWeights(next)
            }}
          />
          {query.isError ? (
            <ErrorState
              level={3}
              title="These weights could not be tried"
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
              error={query.error}
            >
              The database may be busy. Try again in a minute.
            </ErrorState>
          ) : (
            <Results simulation={known} />
          )}
        </>
      ) : query.isError ? (
        <ErrorState
          level={3}
          title="Other weights could not be tried"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      ) : (
        <Loading label="Loading the weights of today" className="p-5">
          <SkeletonText lines={3} />
        </Loading>
      )}
    </Card>
  )
}

type WeightsFormProps = { today: Simulation['weights']; busy: boolean; onTry: (weights: Weights) => void }

function WeightsForm({ today, busy, onTry }: WeightsFormProps) {
  const [values, setValues] = useState<Weights>({})

  function submit(event: FormEvent) {
    event.preventDefault()
    onTry(values)
  }

  return (
    <form onSubmit={submit} className="p-5">
      <div className="grid items-end gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        {fields.map(({ name, label, min, max }) => (
          <Field key={name} label={label} help={`Today ${today[name] ?? 'without an end'}`} noErrorLine>
            <NumberInput
              value={values[name] ?? today[name]}
              onValueChange={(value) =>
                setValues((before) => ({
                  ...before,
                  [name]: value === null || value === today[name] ? undefined : value,
                }))
              }
              min={min}
              max={max}
              steppers={false}
            />
          </Field>
        ))}
        <div className="flex gap-2 pb-6">
          <Button type="submit" variant="primary" busy={busy} busyLabel="Trying...">
            Try these
          </Button>
          <Button onClick={() => setValues({})}>Today’s</Button>
        </div>
      </div>
    </form>
  )
}

function Results({ simulation }: { simulation: Simulation }) {
  const { requests, members, today, other, oldest } = simulation
  const rows = [
    ['Requests served by the next draw', today.served, other.served],
    ['Requests with a member who can be asked', today.withCandidates, other.withCandidates],
    ['Members who can be asked, for half of them at most', today.medianCandidates, other.medianCandidates],
    ['Open offers that would be over by now', today.offersOver, other.offersOver],
  ] as const
  return (
    <div aria-live="polite">
      <p className="border-t border-line px-5 pt-4 text-13 text-ink-2">
        {formatNumber(requests)} waiting requests and {formatNumber(members)} available members were looked
        at, as many as one draw takes.
      </p>
      <table className="mt-2 w-full text-14">
        <caption className="sr-only">The next draw with today’s weights and with these</caption>
        <thead>
          <tr className="text-12 text-ink-2">
            <th scope="col">
              <span className="sr-only">Figure</span>
            </th>
            <th scope="col" className="px-3 py-1.5 text-right font-medium">
              Today
            </th>
            <th scope="col" className="py-1.5 pr-5 pl-3 text-right font-medium">
              With these
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, now, then]) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="py-2 pl-5 text-left font-normal text-ink">
                {label}
              </th>
              <td className="tabular px-3 py-2 text-right text-ink">{formatNumber(now)}</td>
              <td className="tabular py-2 pr-5 pl-3 text-right font-semibold text-ink">
                {formatNumber(then)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-3 border-t border-line">
        <Table
          caption="Waiting requests, in the order of the queue"
          columns={columns}
          rows={oldest}
          rowKey={({ queueId }) => queueId}
          empty={{ icon: <Shuffle />, title: 'No request waits' }}
          dense
        />
      </div>
    </div>
  )
}

type Row = Simulation['oldest'][number]

const columns: Column<Row>[] = [
  {
    id: 'product',
    header: 'Request',
    cell: ({ productTitle }) => <span className="line-clamp-1">{productTitle}</span>,
  },
  {
    id: 'asked',
    header: 'Requested',
    align: 'right',
    wide: true,
    cell: ({ requestedAt }) => formatAgo(requestedAt),
  },
  {
    id: 'today',
    header: 'Members today',
    align: 'right',
    cell: ({ candidatesToday, servedToday }) => <Candidates count={candidatesToday} served={servedToday} />,
  },
  {
    id: 'other',
    header: 'With these',
    align: 'right',
    cell: ({ candidatesOther, servedOther }) => <Candidates count={candidatesOther} served={servedOther} />,
  },
]

function Candidates({ count, served }: { count: number; served: boolean }) {
  return (
    <span className="tabular">
      {formatNumber(count)}
      <span className="text-ink-3">{served ? ', served' : ', waits'}</span>
    </span>
  )
}
