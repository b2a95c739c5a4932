import { Card } from '#web/kit/ui/card.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { useTheme } from '#web/kit/theme.ts'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { useSession } from './session.ts'

/** The member's own profile, and how the product looks to them. */
export function SettingsScreen() {
  const session = useSession()
  const [theme, setTheme] = useTheme()
  if (session.state !== 'authed') return null
  const { me } = session
  return (
    <Page width="narrow">
      <PageHeader title="Settings" help="Your profile, and how Evenhand looks on this device." />
      <Card title="Account">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 text-14">
          <dt className="text-ink-2">Username</dt>
          <dd className="min-w-0 font-medium break-words text-ink">{me.username}</dd>
          <dt className="text-ink-2">Email</dt>
          <dd className="min-w-0 font-medium break-all text-ink">{me.email}</dd>
        </dl>
      </Card>
      <Card title="Profile" help="Your username stands for you in the club. These names are optional.">
        <ProfileForm key={me.id} me={me} />
      </Card>
      <Card title="Password" help="We tell you by email whenever it changes.">
        <PasswordForm key={me.id} />
      </Card>
      <Card title="Theme" help="Kept on this device.">
        <RadioGroup
          label="Theme"
          look="cards"
          value={theme}
          onValueChange={setTheme}
          options={[
            { value: 'system', label: 'System', help: 'Follows your device.' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Card>
    </Page>
  )
}
