import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/members.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { enterSession } from './session.ts'

/** Loads the login session that the server has just opened and welcomes the member. Rejects without one. */
export async function onSignedIn(queryClient: QueryClient): Promise<void> {
  const me = await enterSession(queryClient)
  // The choice of a username is next, and after it this page.
  if (isNew(me)) greetNewcomer(firstPageOf(me, undefined))
  else {
    toast({
      title: 'Welcome back!',
      description: "You've been signed in successfully.",
      tone: 'success',
    })
  }
}

/**
 * Welcomes a member whose address was confirmed by a link or by a provider. `next` is the page that opens.
 */
export function greetNewcomer(next: string = paths.dashboard()): void {
  toast({
    title: 'Email verified',
    description:
      next === paths.billing()
        ? 'One step is left: your membership.'
        : "You're in! Welcome to your dashboard.",
    tone: 'success',
  })
}

/**
 * Where a member goes after confirming the account: to what they asked for, else to join where that takes a
 * payment, else to the dashboard.
 */
export function firstPageOf({ payments, membership }: Me, returnTo: string | undefined): string {
  if (returnTo === undefined && payments !== 'closed' && membership.state === 'none') return paths.billing()
  return safeReturnPath(returnTo, location.origin)
}

/** A member who signs up through a provider has no username yet. */
function isNew({ username }: Me): boolean {
  return username === null
}
