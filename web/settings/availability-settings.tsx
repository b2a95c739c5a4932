import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { offerMinutes } from '#contract/matching-rules.ts'
import type { AskingHours } from '#contract/matching.ts'
import { pauseEveryDays, pauseLongestDays } from '#contract/membership.ts'
import type { Me } from '#contract/members.ts'
import { useSession } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { deviceTimeZone, formatClockTime, formatDateTime, readerTimeZone, zoneName } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { FailedCard, LoadingCard, SettingsSection } from './settings-section.tsx'

const title = 'When we may ask you'

/** /settings/availability: the hours in which the member gets offers, and the way to time away. */
export function AvailabilitySettings() {
  const session = useSession()
  const asking = useQuery(api.matching.getAskingHours.queryOptions())
  if (session.state !== 'authed') return null
  return (
    <SettingsSection title="Availability" help="When you get offers to review a product.">
      {asking.data ? (
        <Card level={3} title={title}>
          <HoursForm key={JSON.stringify(asking.data.hours)} asking={asking.data} />
        </Card>
      ) : asking.isError ? (
        <FailedCard
          title={title}
          what="Your hours could not be loaded"
          onRetry={() => void asking.refetch()}
          retrying={asking.isFetching}
          error={asking.error}
        />
      ) : (
        <LoadingCard title={title} />
      )}
      <Away me={session.me} />
    </SettingsSection>
  )
}

type Asking = {
  hours: AskingHours | null
  timeZone: string | null
  quietUntil: string | null
  quietFrom: string | null
}

const days = [
  ['1', 'Monday'],
  ['2', 'Tuesday'],
  ['3', 'Wednesday'],
  ['4', 'Thursday'],
  ['5', 'Friday'],
  ['6', 'Saturday'],
  ['7', 'Sunday'],
] as const

const choice = z
  .object({ when: z.enum(['always', 'hours']), from: z.string(), until: z.string() })
  // The days: `day1` to `day7`.
  .catchall(z.union([z.boolean(), z.string()]))
  .refine((values) => values.when === 'always' || chosenDays(values).length > 0, {
    path: ['days'],
    message: 'Choose at least one day.',
  })

function HoursForm({ asking }: { asking: Asking }) {
  const queryClient = useQueryClient()
  const { hours } = asking
  return (
    <Form
      label={title}
      schema={choice}
      defaultValues={{
        when: hours ? 'hours' : 'always',
        from: String(hours?.from ?? 9 * 60),
        until: String(hours?.until ?? 18 * 60),
        ...Object.fromEntries(
          days.map(([day]) => [`day${day}`, hours ? hours.days.includes(Number(day)) : Number(day) < 6]),
        ),
      }}
      onSubmit={async (values) => {
        await client.matching.setAskingHours({
          timeZone: deviceTimeZone(),
          hours:
            values.when === 'always'
              ? null
              : { days: chosenDays(values), from: Number(values.from), until: Number(values.until) },
        })
        await queryClient.invalidateQueries({ queryKey: api.matching.getAskingHours.key() })
        toast({ title: 'Availability saved', tone: 'success' })
      }}
    >
      {({ values, dirty }) => (
        <>
          <Field name="when" label="Offers" hideLabel noErrorLine>
            <RadioGroup
              look="cards"
              options={[
                { value: 'always', label: 'At any time' },
                {
                  value: 'hours',
                  label: 'Ask me only between these hours',
                  help:
                    'At other times you count as away and get no offers. ' +
                    'An offer that you already have stays.',
                },
              ]}
            />
          </Field>
          {values.when === 'hours' ? <Hours from={String(values.from)} until={String(values.until)} /> : null}
          <p aria-live="polite" className="mt-4 text-14 text-pretty text-ink-2">
            {dirty ? 'Until you save: ' : null}
            {stateOf(asking)}
          </p>
          <SubmitButton
            className="mt-4 self-start"
            busyLabel="Saving..."
            disabledReason={dirty || otherZoneOf(asking) ? null : 'Nothing has changed yet.'}
          >
            Save
          </SubmitButton>
        </>
      )}
    </Form>
  )
}

/** The days and the two times. A time over midnight is said in words. */
function Hours({ from, until }: { from: string; until: string }) {
  return (
    <div className="mt-4 flex flex-col gap-4">
      <fieldset>
        <legend className="mb-1.5 text-13 font-medium text-ink">Days</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
          {days.map(([day, name]) => (
            <Checkbox key={day} name={`day${day}`} label={name} />
          ))}
        </div>
      </fieldset>
      <div className="grid max-w-96 grid-cols-2 gap-4">
        <Field name="from" label="From" noErrorLine>
          <Select options={timeOptions(from)} />
        </Field>
        <Field name="until" label="Until" noErrorLine>
          <Select options={timeOptions(until)} />
        </Field>
      </div>
      <p className="text-13 text-pretty text-ink-2">
        {from === until
          ? 'The same start and end means all day.'
          : Number(until) < Number(from)
            ? 'It ends on the next day.'
            : null}{' '}
        Times are in {zoneName()}. Change the zone in{' '}
        <TextLink href={paths.settings('language')}>Language and time</TextLink>.
      </p>
    </div>
  )
}

/** Every half hour of a day, and the chosen time if it is another one. */
function timeOptions(chosen: string) {
  const minutes = Array.from({ length: 48 }, (_, half) => half * 30)
  const also = Number(chosen)
  return [...new Set([...minutes, also])]
    .toSorted((one, other) => one - other)
    .map((minute) => ({ value: String(minute), label: formatClockTime(minute) }))
}

/** The zone of the saved hours, if it is another one than that in which the page shows times; else null. */
function otherZoneOf({ hours, timeZone }: Asking): string | null {
  return hours === null || timeZone === readerTimeZone() ? null : timeZone
}

function stateOf(asking: Asking): string {
  const { hours, quietUntil, quietFrom } = asking
  if (!hours) return 'You can be asked at any hour.'
  const here = zoneName()
  const now = quietUntil
    ? `You’re in quiet hours until ${formatDateTime(quietUntil)} (${here}).`
    : quietFrom
      ? `You’re within your hours until ${formatDateTime(quietFrom)} (${here}).`
      : 'You’re within your hours now.'
  const other = otherZoneOf(asking)
  return other ? `${now} The hours you saved are in ${zoneName(other)}. Save them again to use ${here}.` : now
}

function chosenDays(values: Record<string, unknown>): number[] {
  return days.filter(([day]) => values[`day${day}`] === true).map(([day]) => Number(day))
}

/** Time away for days: the pause of the membership. */
function Away({ me: { membership, payments } }: { me: Me }) {
  const { state, source, pausedUntil } = membership
  const canPause = source === 'stripe' && state === 'active'
  return (
    <Card level={3} title="Away for some days">
      <p className="text-14 text-pretty text-ink-2">
        {pausedUntil
          ? `You’re away until ${formatDateTime(pausedUntil)} (${zoneName()}). ` +
            'Your membership is paused until then.'
          : canPause
            ? `Pause your membership until a date, at most ${pauseLongestDays} days ahead and once in ` +
              `${pauseEveryDays} days. You get no offers, ` +
              'your requests keep their places, and nothing is charged.'
            : 'You can just stay away: members who aren’t here are asked last, and have ' +
              `${offerMinutes.absent / 60} hours to answer. An offer that runs out isn’t a ` +
              'decline.' +
              (payments === 'closed' ? '' : ' With a paid membership you can also pause until a date.')}
      </p>
      {pausedUntil || canPause ? (
        <LinkButton href={paths.billing()} className="mt-4">
          {pausedUntil ? 'Come back earlier' : 'I’m away until…'}
        </LinkButton>
      ) : null}
    </Card>
  )
}
