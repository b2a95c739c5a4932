import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { api } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { FormRefusal } from '#web/kit/form.tsx'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx'

/**
 * The person closed the window that asked for a proof. A form and a toast say nothing about it, a dialog says that nothing
 * happened.
 */
export class NotConfirmed extends FormRefusal {
  constructor() {
    super({})
    this.name = 'NotConfirmed'
    this.message = 'You did not confirm that it is you, so nothing was changed.'
  }
}

/**
 * Does what only somebody who has just proved who they are may do. When the server answers NOT_FRESH, `identityWindow`
 * opens and asks for the proof; then the same action is done again. Put the window inside the dialog or form that the action
 * begins in, so that it stands above it.
 */
export function useFresh(): {
  fresh: <T>(action: () => Promise<T>) => Promise<T>
  identityWindow: ReactNode
} {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<{ answer: (isConfirmed: boolean) => void } | null>(null)

  async function fresh<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action()
    } catch (error) {
      if (refusalCode(error) !== 'NOT_FRESH') throw error
    }
    // The window opens with its fields, so that a password typed at once goes nowhere else. What fails here it tries again itself.
    await queryClient.ensureQueryData(api.signIn.getSecurity.queryOptions()).catch(() => undefined)
    const isConfirmed = await new Promise<boolean>((resolve) => setAsking({ answer: resolve }))
    setAsking(null)
    if (!isConfirmed) throw new NotConfirmed()
    return fresh(action)
  }

  const identityWindow = asking ? (
    <ConfirmIdentityDialog onConfirmed={() => asking.answer(true)} onGivenUp={() => asking.answer(false)} />
  ) : null
  return { fresh, identityWindow }
}

/** Says in a toast why an action failed. */
export function showFailure(error: unknown, title = 'That did not work'): void {
  if (error instanceof NotConfirmed) return
  const failure = failureOf(error)
  toast({ title: failure.title ?? title, description: failure.message, tone: 'danger' })
}
