// Who takes part, and what is left of an exchange or an account that ended.
import { heldBy, requests, standings, debts, numbers } from './removal.ts'
import type { Removal } from './removal.ts'

export const membership: Removal[] = [
  ...heldBy('server/reviews/outcomes.test.ts', [
    [
      'A member who missed a review is not asked for 24 hours',
      [requests, 'clock_timestamp() + make_interval(hours => ${reofferHours.expired})', "'-infinity'"],
    ],
    [
      'A member who missed a review is on stand-by',
      [requests, 'set standby = true,', 'set standby = standby,'],
    ],
  ]),
  ...heldBy('server/reviews/strikes.test.ts', [
    [
      'The third missed review in 90 days suspends',
      [numbers, '{ limit: 3, days: 90 }', '{ limit: 4, days: 90 }'],
    ],
    [
      'Missed reviews of more than 90 days ago do not suspend',
      [numbers, '{ limit: 3, days: 90 }', '{ limit: 3, days: 9000 }'],
    ],
  ]),
  ...heldBy('server/membership/standings.test.ts', [
    [
      'An erased account does not take part',
      [standings, 'when erased or not email_verified', 'when not email_verified'],
    ],
    [
      'A member who did not confirm their address does not take part',
      [standings, 'or not email_verified or', 'or'],
    ],
    ['A member who has no name does not take part', [standings, 'or username is null or', 'or']],
    ['A member who is suspended does not take part', [standings, 'or suspended or not', 'or not']],
    [
      'A member who is no paying member does not take part',
      [standings, " or not membership_active then 'out'", " then 'out'"],
    ],
    [
      'A member who pauses does not take part',
      [standings, "    when paused then 'paused'\n    else 'in'", "    else 'in'"],
    ],
    [
      'A member who pays late takes part only until the time for it is over',
      [
        standings,
        "(s.status = 'past_due' and s.grace_until > statement_timestamp())",
        "s.status = 'past_due'",
      ],
    ],
    [
      'A suspension that is over counts no more',
      [standings, 'and (m.suspended_until is null or m.suspended_until > statement_timestamp())'],
    ],
  ]),
  ...heldBy('server/reviews/ledger/leaving.test.ts', [
    [
      'The account of a member who leaves is even',
      [debts, "if (balance !== 0) await moveFromClub(ctx, { memberId, reason: 'settled', delta: -balance })"],
    ],
    [
      'What a leaving member owes is kept',
      [debts, 'if (owed <= 0 || debtor.hashes.length === 0) return', 'return'],
    ],
    [
      'What ends only because a member leaves pays for no debt',
      [debts, 'const all = unpaid - balance', 'const all = -balance'],
    ],
    [
      'A member who joins again owes what they owed',
      [debts, 'where ${isForMe(mine)}\n    returning', 'where false\n    returning'],
    ],
    [
      'A debt ends after 24 months',
      [debts, 'and kept_until >= ${today} and', 'and'],
      [debts, "{ table: 'debts', where },"],
    ],
  ]),
]
