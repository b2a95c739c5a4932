import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/members.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { enterSession } from './session.ts'

/** Takes up the login session that the server has just opened, and greets; rejects when there is none. */
export async function arrive(queryClient: QueryClient): Promise<void> {
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

/** The address was proved, by a link or by a provider. */
export function greetNewcomer(): void {
  toast({
    title: 'Email verified',
    description: "You're in! Welcome to your dashboard.",
    tone: 'success',
  })
}

/** Whoever comes by a provider for the first time has no username yet. */
function isNew({ username }: Me): boolean {
  return username === null
}
