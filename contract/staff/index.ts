import { flags } from './flags.ts'
import { health } from './health.ts'
import { cases } from './moderation.ts'
import { supportDesk } from './support-desk.ts'
import { marketplaces } from './marketplaces.ts'
import { money } from './money.ts'
import { logs } from './logs.ts'
import { exchanges } from './exchanges.ts'
import { memberPages } from './member-page.ts'
import { users } from './users.ts'

/**
 * Every call of the staff area: one group for each of its subjects. They are apart from the members' calls,
 * so that a member's browser never loads them.
 */
export const staffContract = {
  users,
  logs,
  memberPages,
  exchanges,
  supportDesk,
  marketplaces,
  money,
  health,
  cases,
  flags,
}
