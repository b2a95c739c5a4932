import { useQuery } from '@tanstack/react-query'
import type { WaitingRequest, WaitingRule } from '#contract/staff/health.ts'
import { formatAgo, formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { everyMs, Figures, Part } from './part.tsx'

/** The requests that wait longest, and how many members each rule leaves out for them. */
export function RotationPart() {
  const rotation = useQuery({
    ...staffApi.health.getRotation.queryOptions(),
    refetchInterval: everyMs.rotation,
  })
  return (
    <Part
      title="Rotation"
      help="The requests that wait longest, and why. Each member counts under the first rule that leaves them out."
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
  const { productTitle, sellerId, requestedAt, heldBy, excluded, askable } = request
  return (
    <li className="px-5 py-3.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 truncate text-14 font-medium text-ink">{productTitle}</span>
        {heldBy ? (
          <Badge tone="warning">{holds[heldBy]}</Badge>
        ) : askable > 0 ? (
          <Badge tone="success">{formatNumber(askable)} can be asked in the next draw</Badge>
        ) : (
          <Badge tone="warning">No one can be asked now</Badge>
        )}
        <span className="ml-auto flex gap-3 text-13 text-ink-2">
          <span title={formatDateTime(requestedAt)}>requested {formatAgo(requestedAt)}</span>
          <TextLink href={paths.adminUser(sellerId)} aria-label={`Seller of ${productTitle}`}>
            Seller
          </TextLink>
        </span>
      </div>
      {excluded.length > 0 ? (
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2" aria-label="Members left out">
          {excluded.map(({ rule, members }) => (
            <li key={rule}>
              <span className="tabular font-medium text-ink">{formatNumber(members)}</span> {rules[rule]}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

const holds: Record<NonNullable<WaitingRequest['heldBy']>, string> = {
  marketplace_closed: 'Its marketplace is closed',
  seller_paused: 'Its seller is paused',
  seller_out: 'Its seller isn’t in the rotation',
  about_to_resume: 'About to go back into the queue',
}

const rules: Record<WaitingRule, string> = {
  not_taking_part: 'not in the rotation',
  has_offer: 'hold another offer',
  on_cooldown: 'on cooldown or at a limit',
  not_here: 'not here, and the request is too young for absent members',
  own_product: 'own product',
  overdue: 'with an overdue purchase',
  over_cap: 'have given more than they received',
  paired_before: 'met the seller recently',
  reviewed_before: 'reviewed this listing before',
  asked_recently: 'were asked about it recently',
  conflict: 'declared a conflict',
  cannot_take: 'own it, can’t use its format or reported it',
  not_in_slate: 'outside the share that is drawn from so far',
}
