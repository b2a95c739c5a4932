import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchBilling } from './billing.ts'

type ActionButtonProps = {
  variant?: 'primary' | 'secondary'
  run: () => Promise<unknown>
  /** The toast after it worked. */
  done: string
  children: ReactNode
}

/** A change of the membership by one press, which needs no question. */
export function ActionButton({ variant, run, done, children }: ActionButtonProps) {
  const refetch = useRefetchBilling()
  const action = useMutation({
    mutationFn: () => run(),
    onSuccess: async () => {
      await refetch()
      toast({ title: done, tone: 'success' })
    },
    onError: (error) => {
      void refetch()
      toast({
        title: 'That didn’t work',
        description: refusalMessage(error, 'Nothing was changed. Try again in a minute.'),
        tone: 'danger',
      })
    },
  })
  return (
    <Button variant={variant} busy={action.isPending} onClick={() => action.mutate()}>
      {children}
    </Button>
  )
}
