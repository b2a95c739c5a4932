import { useQuery } from '@tanstack/react-query'
import type { Me } from '#contract/members.ts'
import { useSession } from '#web/accounts/session.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Skeleton } from '#web/kit/ui/skeleton.tsx'
import { AvatarPicker } from './avatar-picker.tsx'
import { EmailSettings } from './email-settings.tsx'
import { ProfileForm } from './profile-form.tsx'
import { FailedCard, LoadingCard, SettingsSection } from './settings-section.tsx'
import { UsernameForm } from './username-form.tsx'

/** /settings: the member's picture, names, username and email address. */
export function ProfileSettings() {
  const session = useSession()
  if (session.state !== 'authed') return null
  const { me } = session
  return (
    <SettingsSection title="Profile" help="How the club sees you, and how we reach you.">
      <Card level={3} title="Picture" help="Shown beside your username. Without one, we show your initials.">
        <AvatarPicker me={me} />
      </Card>
      <Card level={3} title="Names" help="Members see your username. These names are optional.">
        <ProfileForm key={me.id} me={me} />
      </Card>
      <NameAndAddress me={me} />
    </SettingsSection>
  )
}

/** The username, which can rarely be changed, and the email address, which needs a confirmed identity. */
function NameAndAddress({ me }: { me: Me }) {
  const {
    data: profile,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(api.members.getProfile.queryOptions())
  if (profile) {
    return (
      <>
        <UsernameForm me={me} profile={profile} />
        <EmailSettings me={me} change={profile.emailChange} />
      </>
    )
  }
  if (isError) {
    return (
      <FailedCard
        title="Username and email"
        what="Your username and email could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
        error={error}
      />
    )
  }
  return (
    <>
      <LoadingCard title="Username">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="mt-2 h-9 w-full rounded-8" />
        <Skeleton className="mt-2 h-9 w-36 rounded-8" />
      </LoadingCard>
      <LoadingCard title="Email" />
    </>
  )
}
