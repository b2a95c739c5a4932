// My membership and its payments, as the server says, and what refetches them after an action.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isOver } from '#contract/membership.ts'
import type { Billing } from '#contract/membership.ts'
import { api, client } from '#web/api.ts'

/** My membership and its payments. */
export function useBilling() {
  return useQuery(api.membership.getBilling.queryOptions())
}

/** Refetches what an action of /billing changes, also where the live stream does not arrive. */
export function useRefetchBilling(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
    void queryClient.invalidateQueries({ queryKey: api.membership.listInvoices.key() })
    await queryClient.invalidateQueries({ queryKey: api.membership.getBilling.key() })
  }
}

/** Asks the payment partner once how the membership stands, then reads it again. */
export function useRefreshBilling() {
  const refetch = useRefetchBilling()
  return useMutation({ mutationFn: () => client.membership.refreshBilling(), onSettled: refetch })
}

/** Whether there is no membership that runs, so that one can be bought. */
export function canJoin({ payments, state }: Pick<Billing, 'payments' | 'state'>): boolean {
  return payments !== 'closed' && isOver(state)
}
