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
 * The member closed the dialog that asks for confirmation. Forms and toasts show nothing then; a dialog shows
 * that nothing was changed.
 */
export class NotConfirmed extends FormRefusal {
  constructor() {
    super({})
    this.name = 'NotConfirmed'
    this.message = 'You didn’t confirm that it’s you, so nothing was changed.'
  }
}

/**
 * Runs an action that needs a recently confirmed identity. When the server answers NOT_FRESH,
 * `identityWindow` asks for confirmation, and then the action runs again. Rejects with NotConfirmed when the
 * member closes it. Render the window inside the dialog or form of the action, so that it opens above it.
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
    // Loaded first, so that the field is there to take a password typed at once. The dialog retries a
    // failure.
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

/** Shows in a toast why an action failed. */
export function showFailure(error: unknown, title = 'That didn’t work'): void {
  if (error instanceof NotConfirmed) return
  const failure = failureOf(error)
  toast({ title: failure.title ?? title, description: failure.message, tone: 'danger' })
}
