import { useQuery } from '@tanstack/react-query'
import type { Me } from '#contract/members.ts'
import { useSession } from '#web/accounts/session.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Skeleton } from '#web/kit/ui/skeleton.tsx'
import { FirstPassword } from './first-password.tsx'
import { PasskeySettings } from './passkey-settings.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProviderConnection } from './provider-connection.tsx'
import { FailedCard, LoadingCard, SettingsSection } from '#web/settings/settings-section.tsx'
import { TwoFactorSettings } from './two-factor-settings.tsx'

/** /settings/security: password, two-factor authentication, passkeys and provider. */
export function SecuritySettings() {
  const session = useSession()
  if (session.state !== 'authed') return null
  return (
    <SettingsSection title="Sign-in and security" help="How you sign in, and how your account is protected.">
      <SignInMethods me={session.me} />
    </SettingsSection>
  )
}

function SignInMethods({ me }: { me: Me }) {
  const {
    data: security,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(api.signIn.getSecurity.queryOptions())
  if (security) {
    return (
      <>
        <Card level={3} title="Password" help="We email you whenever it changes.">
          {security.hasPassword ? <PasswordForm key={me.id} /> : <FirstPassword email={me.email} />}
        </Card>
        <TwoFactorSettings security={security} />
        <PasskeySettings security={security} />
        {security.provider ? <ProviderConnection provider={security.provider} security={security} /> : null}
      </>
    )
  }
  if (isError) {
    return (
      <FailedCard
        title="Sign-in methods"
        what="Your sign-in methods could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
        error={error}
      />
    )
  }
  return (
    <>
      <LoadingCard title="Password" help="We email you whenever it changes.">
        {[0, 1, 2].map((field) => (
          <Skeleton key={field} className="h-9 w-full rounded-8" />
        ))}
        <Skeleton className="mt-2 h-9 w-40 rounded-8" />
      </LoadingCard>
      <LoadingCard title="Two-factor authentication" />
      <LoadingCard title="Passkeys" />
    </>
  )
}
