import { useMutation } from '@tanstack/react-query'
import { useLeaveBy } from '#web/accounts/session.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { signOut } from './better-auth.ts'

/** Signs out, replaces this page with the sign-in page and clears all loaded data. */
export function useSignOut() {
  const leaveBy = useLeaveBy()
  return useMutation({
    mutationFn: () => leaveBy(signOut),
    onSuccess: () => toast({ title: 'Logged out successfully' }),
    onError: () => toast({ title: 'Failed to logout', tone: 'danger' }),
  })
}
