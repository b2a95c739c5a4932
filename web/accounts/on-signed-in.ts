import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/members.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { enterSession } from './session.ts'

/** Loads the login session that the server has just opened and welcomes the member. Rejects without one. */
export async function onSignedIn(queryClient: QueryClient): Promise<void> {
  const me = await enterSession(queryClient)
  if (isNew(me)) greetNewcomer()
  else {
    toast({
      title: 'Welcome back!',
      description: "You've been signed in successfully.",
      tone: 'success',
    })
  }
}

/** Welcomes a member whose address was confirmed by a link or by a provider. */
export function greetNewcomer(): void {
  toast({
    title: 'Email verified',
    description: "You're in! Welcome to your dashboard.",
    tone: 'success',
  })
}

/** A member who signs up through a provider has no username yet. */
function isNew({ username }: Me): boolean {
  return username === null
}
