import { useQueryClient } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { api } from '#web/api.ts'
import { useChange } from '#web/kit/ui/use-change.ts'

/** Why nothing can be added now; null when something can. */
export function fullReason({ limit: { used, most } }: Organization): string | null {
  return used < most
    ? null
    : `You have ${most} of ${most}, the most for the size of your club. Removed entries count until they end.`
}

export function useRefetchOrganization() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: api.organization.getOrganization.key() })
}

/** A change by one press. `done` is the toast after it worked. */
export function useChangeOfOrganization<Input>(run: (input: Input) => Promise<unknown>, done: string) {
  return useChange({ run, done, refetch: useRefetchOrganization() })
}
