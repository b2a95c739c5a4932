import { accountRefusals, accounts } from './accounts.ts'
import { commonRefusals } from './kit.ts'
import type { RefusalText } from './kit.ts'
import { matching, matchingRefusals } from './matching.ts'
import { notifications } from './notifications.ts'
import { privacy, privacyRefusals } from './privacy.ts'
import { productRefusals, products } from './products.ts'
import { reviewRefusals, reviews } from './reviews.ts'
import { settings, settingsRefusals } from './settings.ts'
import { site } from './site.ts'
import { support, supportRefusals } from './support.ts'

/** Every call of the product, by room. Both houses derive their types from it. */
export const contract = {
  accounts,
  settings,
  products,
  matching,
  reviews,
  notifications,
  support,
  privacy,
  site,
}

/** Every refusal with its status and the sentence people read. */
export const refusals = {
  ...commonRefusals,
  ...accountRefusals,
  ...productRefusals,
  ...matchingRefusals,
  ...reviewRefusals,
  ...supportRefusals,
  ...settingsRefusals,
  ...privacyRefusals,
} satisfies Record<string, RefusalText>

export type RefusalCode = keyof typeof refusals
