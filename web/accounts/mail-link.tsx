import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { displayNameOf } from '#contract/members.ts'
import type { Me } from '#contract/members.ts'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { firstPageOf, greetNewcomer } from './on-signed-in.ts'
import { Completing } from './completing.tsx'
import { AddressLink } from './links/address-link.tsx'
import { ConfirmEmail } from './links/confirm-email.tsx'
import { ReportNotMe } from './links/report-not-me.tsx'
import { EmailChangeLink } from './links/email-change-link.tsx'
import { explainInvalidLink, isLinkExpired } from './link-refusal.ts'
import { deleteLinkSecret } from './link-secret.ts'
import { RecoveryLink } from './links/recovery-link.tsx'
import { enterSession } from './session.ts'

export type MailLinkType = 'not_me' | 'recovery' | 'email_change' | 'address'

type MailLinkProps = { token: string; type?: MailLinkType; returnTo?: string }

/** The page that email links open. Opening a link does not use it up; confirming does. */
export function MailLink({ token, type, returnTo }: MailLinkProps) {
  if (type === 'recovery') return <RecoveryLink token={token} />
  if (type === 'email_change') return <EmailChangeLink token={token} />
  if (type === 'address') return <AddressLink token={token} />
  return <ConfirmationLink token={token} type={type} returnTo={returnTo} />
}

type ConfirmationLinkProps = { token: string; type?: 'not_me'; returnTo?: string }

function ConfirmationLink({ token, type, returnTo }: ConfirmationLinkProps) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [isReportedNotMe, setReportedNotMe] = useState(false)
  const { data: link } = useQuery({
    queryKey: ['accounts', 'link', token],
    queryFn: async () => {
      const link = await readLink(queryClient, { token, type })
      const member = 'member' in link ? link.member : undefined
      if (member) await router.navigate({ href: firstPageOf(member, returnTo), replace: true })
      return link
    },
    staleTime: Infinity,
    // Removes the secret from the cache when this screen closes.
    gcTime: 0,
  })

  if (isReportedNotMe) return <AccountDeleted />
  if (!link || 'member' in link) return <Completing />
  if ('refused' in link) {
    return (
      <Navigate to="/signin" search={link.refused === 'expired' ? { reason: 'link_expired' } : {}} replace />
    )
  }
  const onExpired = () => {
    deleteLinkSecret()
    explainInvalidLink('expired')
    void router.navigate({ to: '/signin', search: { reason: 'link_expired' }, replace: true })
  }
  const onReportedNotMe = () => {
    deleteLinkSecret()
    setReportedNotMe(true)
  }
  if (type === 'not_me') {
    return <ReportNotMe token={token} link={link} onExpired={onExpired} onReportedNotMe={onReportedNotMe} />
  }
  return (
    <ConfirmEmail
      token={token}
      link={link}
      onConfirmed={async () => {
        deleteLinkSecret()
        const me = await enterSession(queryClient)
        const next = firstPageOf(me, returnTo)
        greetNewcomer(next)
        await router.navigate({ href: next, replace: true })
      }}
      onExpired={onExpired}
    />
  )
}

/**
 * Reads what the link is for. A refused link is an answer too, and its toast is shown here, once. A member
 * who opens it again is already where it leads. Only a login session says who that is, and never the link.
 */
async function readLink(queryClient: QueryClient, { token, type }: { token: string; type?: 'not_me' }) {
  try {
    return await client.accounts.readVerification({ token })
  } catch (error) {
    const refused = isLinkExpired(error) ? 'expired' : 'failed'
    if (refused === 'expired') deleteLinkSecret()
    if (refused === 'expired' && type !== 'not_me') {
      const member = await findConfirmed(queryClient)
      if (member) {
        toast({
          title: 'You’re signed in',
          description:
            `The email of ${displayNameOf(member)} is confirmed. ` + 'This link was used or has expired.',
          tone: 'success',
        })
        return { member } as const
      }
    }
    explainInvalidLink(refused)
    return { refused } as const
  }
}

/** The member who is signed in here with a confirmed address, if any. */
async function findConfirmed(queryClient: QueryClient): Promise<Me | null> {
  const me = await queryClient.fetchQuery(meOptions()).catch(() => null)
  return me?.emailVerified ? me : null
}

function AccountDeleted() {
  return (
    <AuthFrame
      title="The account was deleted"
      help="Thanks for letting us know. Your address is free again, and the link no longer works."
      icon={<ShieldCheck />}
    >
      <LinkButton href={paths.signIn()} wide>
        Back to sign in
      </LinkButton>
    </AuthFrame>
  )
}
