import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isLinkLost, readLinkSecret } from '#web/accounts/link-secret.ts'
import { MailLink } from '#web/accounts/mail-link.tsx'
import type { MailLinkType } from '#web/accounts/mail-link.tsx'
import { ProviderReturn } from './provider-return.tsx'

type CallbackScreenProps = {
  type?: MailLinkType
  returnTo?: string
  nonce?: string
  error?: string
  twoFactor?: '1'
}

/** The page that email links open and that the provider redirects to. */
export function CallbackScreen({ type, returnTo, ...back }: CallbackScreenProps) {
  const [token] = useState(readLinkSecret)
  const [isLost] = useState(isLinkLost)
  if (token !== null) return <MailLink token={token} type={type} returnTo={returnTo} />
  if (type !== undefined || (isLost && !isProviderReturn(back))) {
    return <Navigate to="/signin" search={{ reason: 'link_again', returnTo }} replace />
  }
  return <ProviderReturn {...back} returnTo={returnTo} />
}

/** Whether the address reports the result of a provider visit. A success in this same tab reports nothing. */
function isProviderReturn({ nonce, error, twoFactor }: Omit<CallbackScreenProps, 'type' | 'returnTo'>) {
  return nonce !== undefined || error !== undefined || twoFactor !== undefined
}
