import { mayCall, rights } from '#contract/rights.ts'
import { useSession } from '#web/accounts/session.ts'

/** Whether the reader may change the register: an admin may, support reads it. */
export function useMayChange(): boolean {
  const session = useSession()
  return session.state === 'authed' && mayCall(rights.marketplaces.editMarketplace, session.me.role)
}
