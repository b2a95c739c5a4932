import { useMutation } from '@tanstack/react-query'
import { refusalMessage } from '../refusal-messages.ts'
import { toast } from './toast.tsx'

type Change<Input> = {
  run: (input: Input) => Promise<unknown>
  /** The toast after it worked. */
  done: string
  /** Loads again what the change may have changed, also after a refusal. */
  refetch: () => Promise<unknown>
}

/** A change by one press, which needs no question. */
export function useChange<Input>({ run, done, refetch }: Change<Input>) {
  return useMutation({
    mutationFn: run,
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
}
