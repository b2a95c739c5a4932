import { accountRefusals } from '#contract/accounts.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'

/** Whether the server refused a link because it has expired, was used or never existed. */
export function isLinkExpired(error: unknown): boolean {
  return refusalCode(error) === 'LINK_EXPIRED'
}

/** Explains in a toast why a link led to the sign-in page. */
export function explainInvalidLink(why: 'expired' | 'failed'): void {
  const { title, message } =
    why === 'expired'
      ? accountRefusals.LINK_EXPIRED
      : { title: 'Authentication Error', message: 'Something went wrong during authentication.' }
  toast({ title, description: message, tone: 'danger' })
}
