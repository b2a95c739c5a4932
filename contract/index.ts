import { accountRefusals, accounts } from './accounts.ts'
import { analytics } from './analytics.ts'
import { commonRefusals } from './kit.ts'
import type { RefusalText } from './kit.ts'
import { discover } from './discover.ts'
import { matching, matchingRefusals } from './matching.ts'
import { memberRefusals, members } from './members.ts'
import { membership, membershipRefusals } from './membership.ts'
import { moderation, moderationRefusals } from './moderation.ts'
import { notifications, pushRefusals } from './notifications.ts'
import { organization, organizationRefusals } from './organization.ts'
import { privacy, privacyRefusals } from './privacy.ts'
import { productRefusals, products } from './products.ts'
import { reviewRefusals, reviews } from './reviews.ts'
import { search } from './search.ts'
import { signIn, signInRefusals } from './sign-in.ts'
import { site } from './site.ts'
import { flagRefusals } from './staff/flag-refusals.ts'
import { interventionRefusals } from './staff/intervention-refusals.ts'
import { staffRefusals } from './staff/refusals.ts'
import { healthRefusals } from './staff/health-refusals.ts'
import { support, supportDeskRefusals, supportRefusals } from './support.ts'
import { marketplaceRefusals } from './staff/marketplace-refusals.ts'

/** Every call of the product: one group for each module that answers calls, in the order of the modules. */
export const contract = {
  members,
  accounts,
  signIn,
  notifications,
  membership,
  products,
  discover,
  organization,
  matching,
  reviews,
  support,
  moderation,
  analytics,
  privacy,
  search,
  site,
}

/** Every refusal, with its status and the sentence that people read. */
export const refusals = {
  ...commonRefusals,
  ...memberRefusals,
  ...accountRefusals,
  ...signInRefusals,
  ...membershipRefusals,
  ...productRefusals,
  ...organizationRefusals,
  ...matchingRefusals,
  ...reviewRefusals,
  ...supportRefusals,
  ...pushRefusals,
  ...moderationRefusals,
  ...supportDeskRefusals,
  ...healthRefusals,
  ...privacyRefusals,
  ...interventionRefusals,
  ...flagRefusals,
  ...staffRefusals,
  ...marketplaceRefusals,
} satisfies Record<string, RefusalText>

export type RefusalCode = keyof typeof refusals
