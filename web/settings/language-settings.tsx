import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { Me } from '#contract/members.ts'
import { locale as localeSchema, locales } from '#contract/locales.ts'
import type { Locale } from '#contract/locales.ts'
import { useSession } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import {
  deviceTimeZone,
  formatDateTime,
  formatMoney,
  formatNumber,
  noteReader,
  useServerNow,
  zoneName,
} from '#web/kit/time.ts'
import type { Reader } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Combobox } from '#web/kit/ui/combobox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { SettingsSection } from './settings-section.tsx'
import { followDevice, timeZoneOptions } from './time-zones.ts'

/** /settings/language: how dates, times and numbers are written for the member. */
export function LanguageSettings() {
  const session = useSession()
  if (session.state !== 'authed') return null
  return (
    <SettingsSection
      title="Language and time"
      help="How we write dates, times and numbers for you, on every device and in our emails."
    >
      <Card level={3}>
        <PreferencesForm key={session.me.id} me={session.me} />
      </Card>
    </SettingsSection>
  )
}

const preferences = z.object({ locale: localeSchema, timeZone: z.string() })

function PreferencesForm({ me }: { me: Me }) {
  const queryClient = useQueryClient()
  return (
    <Form
      label="Language and time"
      schema={preferences}
      defaultValues={{ locale: me.locale, timeZone: me.timeZone ?? followDevice }}
      onSubmit={async (values, form) => {
        const chosen = readerOf(values)
        await client.members.updatePreferences({ locale: values.locale, timeZone: chosen.timeZone })
        noteReader(chosen)
        form.reset(values)
        await queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
        toast({ title: 'Language and time saved', tone: 'success' })
      }}
    >
      {({ values, dirty }) => (
        <>
          <Field
            name="locale"
            label="Language"
            help="Evenhand is in English. This sets the format of dates and numbers."
          >
            <Select<Locale> options={localeOptions} />
          </Field>
          <Field name="timeZone" label="Time zone">
            <Combobox
              options={timeZoneOptions(me.timeZone)}
              placeholder="Type a city, like Lisbon"
              nothing="No time zone with that name. Try the largest city near you."
            />
          </Field>
          <Example reader={readerOf(values)} />
          <SubmitButton
            className="mt-5 self-start"
            busyLabel="Saving..."
            disabledReason={dirty ? null : 'Nothing has changed yet.'}
          >
            Save
          </SubmitButton>
        </>
      )}
    </Form>
  )
}

/** The current time, a number and a price in the chosen format. */
function Example({ reader }: { reader: Reader }) {
  const now = useServerNow()
  return (
    <dl
      className={
        'grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 ' +
        'rounded-10 border border-line bg-sunken px-4 py-3 text-14'
      }
    >
      <dt className="text-ink-2">Now</dt>
      <dd className="tabular font-medium text-ink">{formatDateTime(now, reader)}</dd>
      <dt className="text-ink-2">Time zone</dt>
      <dd className="font-medium break-words text-ink">{zoneName(reader.timeZone ?? deviceTimeZone())}</dd>
      <dt className="text-ink-2">Numbers</dt>
      <dd className="tabular font-medium text-ink">
        {formatNumber(1_234_567.8, reader)} · {formatMoney(1250, reader)}
      </dd>
    </dl>
  )
}

function readerOf({ locale, timeZone }: { locale: Locale; timeZone: string }): Reader & { locale: Locale } {
  return { locale, timeZone: timeZone === followDevice ? null : timeZone }
}

const localeOptions = Object.entries(locales).map(([value, label]) => ({
  // `Object.entries` loses the type of the keys.
  value: value as Locale,
  label,
}))
