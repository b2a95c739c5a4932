// How a person answers an offer, and how a review goes that they accepted. The same for every policy.
import { habits, hourMs, minuteMs } from './people.ts'
import type { Kind, Person } from './people.ts'
import { logNormal } from './random.ts'
import type { Random } from './random.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'

type Answer = 'accept' | 'ignore' | 'leave' | { decline: DeclineReason | undefined }
type Offered = { seller: Kind | undefined; excusesToday: number }

const plain: (DeclineReason | undefined)[] = ['busy', 'other', 'not_relevant', undefined]
const excuses: DeclineReason[] = ['already_own', 'cannot_use_format', 'conflict']

/**
 * A ring answers its own as it likes. One with excuses declines all others for a reason without penalty, and
 * leaves when it has none left: the live events show it whose offer came, so it need not open it.
 */
export function answerOf({ kind }: Person, random: Random, { seller, excusesToday }: Offered): Answer {
  const share = random()
  const reason = Math.floor(random() * 12)
  if (kind.startsWith('ring') && seller === kind) return 'accept'
  if (kind === 'ring with excuses') {
    return excusesToday < 2 ? { decline: excuses[reason % excuses.length] } : 'leave'
  }
  const { accept, decline } = habits[kind]
  if (share < accept) return 'accept'
  return share < accept + decline ? { decline: plain[reason % plain.length] } : 'ignore'
}

/** When the purchase is proven and the review written, after the acceptance; null where it never is. */
export function workOf({ kind }: Person, random: Random): { proven: number; written: number } | null {
  const { finish, finishHours } = habits[kind]
  const finishes = random() < finish
  const hours = Math.min(logNormal(random, finishHours, 0.6), 160)
  if (!finishes) return null
  const proven = Math.min(0.4 * hours, 70) * hourMs
  return { proven, written: Math.max(hours * hourMs, proven + 70 * minuteMs) }
}

/** How long a person looks at an offer before answering. */
export const thinkMs = (random: Random) => (0.3 + 2.7 * random()) * minuteMs

/** When a mail brings a person, after it came; null where it does not. */
export function mailBrings({ kind }: Person, random: Random): number | null {
  const comes = random() < habits[kind].mail
  const hours = logNormal(random, 3, 1)
  return comes ? hours * hourMs : null
}
