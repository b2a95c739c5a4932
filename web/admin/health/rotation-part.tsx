import { useQuery } from '@tanstack/react-query'
import type { WaitingRequest } from '#contract/staff/health.ts'
import { formatAgo, formatDateTime, formatNumber } from '#web/kit/time.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { everyMs, Figures, Part } from './part.tsx'
import { LeftOut, StandingBadge } from './rule-counts.tsx'

/** The requests that wait longest, and how many members each rule leaves out for them. */
export function RotationPart() {
  const rotation = useQuery({
    ...staffApi.health.getRotation.queryOptions(),
    refetchInterval: everyMs.rotation,
  })
  return (
    <Part
      title="Rotation"
      help={
        'The requests that wait longest, and why. ' +
        'Each member counts under the first rule that leaves them out.'
      }
      query={rotation}
    >
      {({ queued, held, members, notLookedAt, oldest }) => (
        <>
          <Figures
            figures={[
              { label: 'Waiting', value: formatNumber(queued) },
              { label: 'On hold', value: formatNumber(held) },
              { label: 'Members in the club', value: formatNumber(members) },
            ]}
          />
          {oldest.length === 0 ? (
            <p className="px-5 pb-4 text-14 text-ink-2">No request waits.</p>
          ) : (
            <ol className="divide-y divide-line border-t border-line">
              {oldest.map((request) => (
                <Waiting key={request.queueId} request={request} />
              ))}
            </ol>
          )}
          {notLookedAt > 0 ? (
            <p className="border-t border-line px-5 py-3 text-13 text-ink-2">
              {formatNumber(notLookedAt)} further members are available and were not looked at.
            </p>
          ) : null}
        </>
      )}
    </Part>
  )
}

function Waiting({ request }: { request: WaitingRequest }) {
  const { queueId, productTitle, sellerId, requestedAt, heldBy, excluded, askable } = request
  return (
    <li className="px-5 py-3.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TextLink href={paths.adminExchange(queueId)} className="min-w-0 truncate text-14">
          {productTitle}
        </TextLink>
        <StandingBadge heldBy={heldBy} askable={askable} />
        <span className="ml-auto flex gap-3 text-13 text-ink-2">
          <span title={formatDateTime(requestedAt)}>requested {formatAgo(requestedAt)}</span>
          <TextLink href={paths.adminUser(sellerId)} aria-label={`Seller of ${productTitle}`}>
            Seller
          </TextLink>
        </span>
      </div>
      <LeftOut excluded={excluded} />
    </li>
  )
}
