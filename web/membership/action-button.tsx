import type { ReactNode } from 'react'
import { Button } from '#web/kit/ui/button.tsx'
import { useChange } from '#web/kit/ui/use-change.ts'
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
  const action = useChange({ run, done, refetch: useRefetchBilling() })
  return (
    <Button variant={variant} busy={action.isPending} onClick={() => action.mutate(undefined)}>
      {children}
    </Button>
  )
}
