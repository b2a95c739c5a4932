import type { Household } from '#contract/organization.ts'
import { client } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { useChangeOfOrganization } from './organization.ts'

/** The members who say that I belong to their household or team. Those that wait for my answer come first. */
export function HouseholdsCard({ households }: { households: readonly Household[] }) {
  if (households.length === 0) return null
  return (
    <Card
      title="Named by others"
      help={
        'These members say that you belong to the same household or team. ' +
        'You’re never matched, whatever you answer.'
      }
      padding="none"
    >
      <ul aria-label="Named by others" className="divide-y divide-line">
        {households.map((household) => (
          <HouseholdRow key={household.id} household={household} />
        ))}
      </ul>
    </Card>
  )
}

function HouseholdRow({ household: { id, by, createdAt, endsAt, answer } }: { household: Household }) {
  const change = useChangeOfOrganization(
    (belongs: boolean) => client.organization.answerHousehold({ id, belongs }),
    'Your answer is saved',
  )
  const isBusy = (belongs: boolean) => change.isPending && change.variables === belongs
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-14 font-medium text-ink">
          <TextLink href={paths.member(by)}>@{by}</TextLink>
          {answer === 'confirmed' ? <Badge tone="success">You confirmed</Badge> : null}
          {answer === 'denied' ? <Badge>You disagreed</Badge> : null}
          {answer === null ? <Badge tone="warning">Waiting for you</Badge> : null}
        </p>
        <p className="mt-0.5 text-13 text-ink-2">
          {endsAt ? (
            <>
              Removed by them, ends on <time dateTime={endsAt}>{formatDate(endsAt)}</time>
            </>
          ) : (
            <>
              Since <time dateTime={createdAt}>{formatDate(createdAt)}</time>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {answer === 'confirmed' ? null : (
          <Button
            variant={answer === null ? 'primary' : 'secondary'}
            aria-label={`Confirm @${by}`}
            busy={isBusy(true)}
            onClick={() => change.mutate(true)}
          >
            Confirm
          </Button>
        )}
        {answer === 'denied' ? null : (
          <Button aria-label={`Not with @${by}`} busy={isBusy(false)} onClick={() => change.mutate(false)}>
            That’s not right
          </Button>
        )}
      </div>
    </li>
  )
}
