import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime, useServerNow } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import type { ButtonProps } from '#web/kit/ui/button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

/** Ends the member's rest, or says from when it can be ended. */
export function EndRestButton(props: Pick<ButtonProps, 'variant' | 'size' | 'className'>) {
  const queryClient = useQueryClient()
  const end = useMutation(
    api.matching.endRest.mutationOptions({
      onSuccess: () =>
        toast({
          title: 'Your rest is over',
          description: 'You can get offers again as soon as nothing else holds them back.',
          tone: 'success',
        }),
      onError: (error) =>
        toast({
          title: 'Your rest was not ended',
          description: refusalMessage(error, 'Please try again.'),
          tone: 'danger',
        }),
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: api.matching.findCooldown.key() }),
          queryClient.invalidateQueries({ queryKey: api.matching.getBalance.key() }),
        ]),
    }),
  )
  const { data } = useQuery(api.matching.findCooldown.queryOptions())
  const readyFrom = data?.readyFrom ?? null
  const now = useServerNow()
  const isEarly = readyFrom !== null && Date.parse(readyFrom) > now
  return (
    <Button
      {...props}
      busy={end.isPending}
      disabledReason={isEarly && `You can end this rest from ${formatDateTime(readyFrom)} on.`}
      onClick={() => end.mutate(undefined)}
    >
      I’m ready
    </Button>
  )
}
