import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mayCall, rights } from '#contract/rights.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { staffApi } from '../api.ts'

/** Why the reader may not change anything here, or null. */
export function useAdminsOnly(): string | null {
  const { data: me } = useQuery(meOptions())
  return me && mayCall(rights.health.retryJob, me.role) ? null : 'Only admins can do this.'
}

/** Runs a change, says what it did or why it failed, and reads the page again. */
export function useChange() {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: staffApi.health.key() })
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ call }: { call: () => Promise<unknown>; said: string; key: string }) => call(),
    onSuccess: (_, { said }) => toast({ title: said, tone: 'success' }),
    onError: (error) =>
      toast({
        title: 'That didn’t work',
        description: refusalMessage(error, 'Nothing was changed. Try again in a minute.'),
        tone: 'danger',
      }),
    onSettled: refresh,
  })
  return { change: mutate, refresh, busy: (key: string) => isPending && variables.key === key }
}
