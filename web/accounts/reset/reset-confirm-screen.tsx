import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { KeyRound, Link2Off } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Loading, Skeleton, SkeletonText } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'
import { deleteLinkSecret, readLinkSecret } from '#web/accounts/link-secret.ts'
import { ResetConfirmForm } from './reset-confirm-form.tsx'
import { resetLinkOptions } from './reset-link.ts'
import { leaveSession } from '#web/accounts/session.ts'

/**
 * Sets a new password after a link in an email. The secret is passed only in memory, so that the address,
 * history and storage do not expose it. A reload loses it; the link in the email still works then.
 */
export function ResetConfirmScreen() {
  const [token] = useState(readLinkSecret)
  if (token === null)
    return (
      <Expired>
        Did you reload this page? Open the link in your email again. It works until you use it.
      </Expired>
    )
  return <NewPassword token={token} />
}

function NewPassword({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<'open' | 'expired' | 'done'>('open')
  const link = useQuery({ ...resetLinkOptions(token), enabled: state === 'open' })

  if (state === 'expired' || isLinkExpired(link.error)) return <Expired />
  if (link.error) {
    return (
      <Frame>
        <ErrorState
          title="We couldn't check your link"
          onRetry={() => void link.refetch()}
          retrying={link.isFetching}
          error={link.error}
        />
      </Frame>
    )
  }
  if (state === 'done' || !link.data) {
    return (
      <Frame>
        <Checking />
      </Frame>
    )
  }
  return (
    <Frame>
      <ResetConfirmForm
        token={token}
        maskedEmail={link.data.maskedEmail}
        onExpired={() => {
          deleteLinkSecret()
          setState('expired')
        }}
        onReset={async () => {
          deleteLinkSecret()
          setState('done')
          await leaveSession(queryClient)
          toast({
            title: 'Password updated',
            description: 'Your password has been successfully updated.',
            tone: 'success',
          })
          await router.navigate({ href: paths.signIn({ reset: 'success' }), replace: true })
        }}
      />
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <AuthFrame
      title="Set a new password"
      help="This signs you out everywhere. Then sign in with the new password."
      icon={<KeyRound />}
      foot={
        <div className="flex flex-wrap justify-center gap-2 max-sm:justify-start">
          <LinkButton variant="ghost" href={paths.signIn()}>
            Back to sign in
          </LinkButton>
          <LinkButton variant="ghost" href={paths.resetPassword()}>
            Request a new link
          </LinkButton>
        </div>
      }
    >
      {children}
    </AuthFrame>
  )
}

/** The skeleton of the form while the link is checked. */
function Checking() {
  return (
    <Loading label="Checking your link" className="flex flex-col">
      <Skeleton className="mb-2 h-3.5 w-10" />
      <Skeleton className="mb-8 h-9 rounded-8 pointer-coarse:h-10" />
      <Skeleton className="mb-2 h-3.5 w-24" />
      <Skeleton className="h-9 rounded-8 pointer-coarse:h-10" />
      <SkeletonText lines={2} className="mt-2 mb-8" />
      <Skeleton className="mb-2 h-3.5 w-28" />
      <Skeleton className="mb-8 h-9 rounded-8 pointer-coarse:h-10" />
      <Skeleton className="mt-2 h-11 rounded-8" />
    </Loading>
  )
}

function Expired({ children }: { children?: ReactNode }) {
  return (
    <AuthFrame
      title="Reset link expired"
      help="Your reset link is invalid or has expired. Request a new link."
      icon={<Link2Off />}
    >
      <div className="flex flex-col gap-2.5">
        <LinkButton wide variant="primary" href={paths.resetPassword()}>
          Request a new link
        </LinkButton>
        <LinkButton wide variant="ghost" href={paths.signIn()}>
          Back to sign in
        </LinkButton>
      </div>
      {children ? <p className="mt-5 text-13 text-pretty text-ink-3">{children}</p> : null}
    </AuthFrame>
  )
}
