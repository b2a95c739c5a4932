// How much a member gives and receives, rests, nudges and closed marketplaces.
import {
  accepts,
  exclusions,
  heldBy,
  leftOut,
  numbers,
  predicates,
  nudges,
  offers,
  requests,
  resuming,
  statements,
  takenBack,
} from './removal.ts'
import type { Removal } from './removal.ts'

export const limiting: Removal[] = [
  ...heldBy('server/matching/limits/limits.test.ts', [
    [
      'A member who received three reviews today asks tomorrow',
      [predicates, "if (facts.receivedToday >= receiveLimits.perDay) return 'RECEIVED_TODAY'"],
    ],
    [
      'A member who received eight reviews in a week asks later',
      [predicates, "if (facts.receivedInWeek >= receiveLimits.perWeek) return 'RECEIVED_WEEK'"],
    ],
  ]),
  ...heldBy('server/matching/presence/limits.test.ts', [
    [
      'A member who accepted three reviews today accepts no other',
      [predicates, "if (facts.acceptedToday >= acceptLimits.perDay) return 'DAY_LIMIT'"],
    ],
    [
      'A member who accepted eight reviews in a week accepts no other',
      [predicates, "if (facts.acceptedInWeek >= acceptLimits.perWeek) return 'WEEK_LIMIT'"],
    ],
    [
      'A member who accepted three reviews today is not asked until tomorrow',
      [accepts, 'case when accepted.today >= ${sql.lit(perDay)}', 'case when false'],
    ],
    [
      'A member who accepted eight reviews in a week is not asked for a time',
      [accepts, 'case when accepted.week >= ${sql.lit(perWeek)}', 'case when false'],
    ],
  ]),
  ...heldBy('server/matching/presence/rests.test.ts', [
    ['No rest is longer than seven days', [numbers, 'longestHours: 168', 'longestHours: 16800']],
    [
      'A member who says they are ready rests no longer',
      [
        'server/matching/presence/rests.ts',
        'update reviewer_states set rest_until = null\n      where member_id = ${memberId} and rest_until',
        'update reviewer_states set refusals = refusals\n      where member_id = ${memberId} and rest_until',
      ],
    ],
    [
      'Who comes back after an offer ran out was not here for it',
      [
        'server/matching/signals.ts',
        'case when ${offerRanOut} then last_seen_at else clock_timestamp() end',
        'clock_timestamp()',
      ],
    ],
    [
      'An offer to an absent member that runs out is no refusal',
      ['server/matching/presence/rests.ts', 'select o.live and (', 'select ('],
    ],
    [
      'After very many refusals in a row, a rest can be ended in its second half only',
      [
        'server/matching/presence/rests.ts',
        "if (rest.endsFrom) throw refuse('RESTING', { at: rest.endsFrom })",
      ],
    ],
    ['A third refusal in a row begins a rest', [numbers, 'return refusals < rests.after', 'return true']],
    [
      'Each further refusal in a row doubles the rest',
      [numbers, 'rests.hours * 2 ** (refusals - rests.after)', 'rests.hours'],
    ],
    ['An acceptance ends a run of refusals', [offers, 'await endRun(ctx)']],
    [
      'A member who stays while an offer is unopened refused it',
      [numbers, 'hereMinutes: 5', 'hereMinutes: 3000'],
    ],
    [
      'A member who leaves soon after an offer came did not refuse it',
      [numbers, 'hereMinutes: 5', 'hereMinutes: 0'],
    ],
    [
      'The second offer in a row that a member leaves unopened is a refusal',
      ['server/matching/presence/rests.ts', 'or coalesce(before.unopened, false)'],
    ],
  ]),
  ...heldBy('server/matching/presence/nudges.test.ts', [
    ['Only a member of the slate is nudged', [nudges, 'value >= share || ']],
    ['The lowest band is nudged first', [nudges, 'score: member.band + value', 'score: value']],
    ['A member is nudged once in 24 hours', [numbers, 'perMemberHours: 24', 'perMemberHours: 0']],
    ['A request nudges once in an hour', [numbers, 'perRequestMinutes: 60', 'perRequestMinutes: 0']],
    [
      'A member whom push alone reaches is nudged',
      [
        'server/notifications/preferences.ts',
        'or (coalesce(n.by_push, false) and exists (select from push_devices d where d.member_id = m.id))',
      ],
    ],
    [
      'A mail to an address that bounced reaches no one',
      [
        'server/notifications/preferences.ts',
        'and not exists (select from bounced_addresses b where b.address = lower(m.email))',
      ],
    ],
    ['Whom no nudge reaches is not nudged', [nudges, "and ${isReachable('nudges', 'first.member_id')}"]],
  ]),
  ...heldBy('server/matching/rules/credit.test.ts', [
    ['A member who has a review on credit gives before asking', [predicates, '- 1 < -creditLine', '< -99']],
    [
      'A member who took a request back while a member was asked waits a day',
      [numbers, 'takenBackHours = 24', 'takenBackHours = 0'],
    ],
    [
      'A request that ended since its link is broken costs nothing',
      [takenBack, 'and b.closed_at between', 'and false and b.closed_at between'],
    ],
    [
      'A request taken back while no member was asked costs nothing',
      [takenBack, '(o.responded_at >= q.closed_at or o.by_declaration', '(true or o.by_declaration'],
    ],
    [
      'A member who took a request back after its secret was public waits a day',
      [takenBack, 'when ${couldBeKnown} or exists', 'when exists'],
    ],
    [
      'A member who took a request back after another’s declaration ended its offer waits a day',
      [takenBack, ' or o.by_declaration and q.resumes_by > q.closed_at'],
    ],
    [
      'A request that our staff canceled costs nothing',
      [takenBack, "where a.subject_id = q.id and a.action = 'request_cancelled')", 'where false)'],
    ],
    [
      'A member who does not take part does not ask',
      [
        predicates,
        '(facts: AskFacts): true | MatchingRefusal {\n  const takesPart = canTakePart(facts)',
        '(facts: AskFacts): true | MatchingRefusal {\n  const takesPart = true',
      ],
    ],
  ]),
  ...heldBy('server/matching/rules/resuming.test.ts', [
    [
      'A request that waited is drawn at a moment that its seller cannot know',
      [resuming, 'const hours = resumeHours * (randomBytes(4).readUInt32BE() / 2 ** 32)', 'const hours = 0'],
    ],
    [
      'A request waits before it is drawn again after a pause',
      [requests, "if (to === 'queued') await waitAtLeast(ctx, id, sql`clock_timestamp()`)"],
    ],
    [
      'A request whose offer its seller ended by a pause waits a day',
      [
        requests,
        "if (await withdrawOfferOf(ctx, id, 'queued')) await waitBeforeAnother(ctx, id)",
        "await withdrawOfferOf(ctx, id, 'queued')",
      ],
    ],
    [
      'A request whose offer another ended by a declaration waits for a random moment',
      [
        'server/matching/endings.ts',
        'else if (namedIds.includes(offer.sellerId)) await waitAtLeast',
        'else if (!offer.sellerId) await waitAtLeast',
      ],
    ],
    [
      'Each of a seller’s requests has a moment of its own',
      [
        resuming,
        'const hours = resumeHours * (randomBytes(4).readUInt32BE() / 2 ** 32)',
        'const hours = resumeHours / 2',
      ],
    ],
    [
      'A request whose offer its seller ended by a declaration waits a day',
      [
        'server/matching/endings.ts',
        'if (offer.sellerId === declarerId) await waitBeforeAnother(ctx, offer.queueId)\n    else',
      ],
    ],
  ]),
  ...heldBy('server/matching/races.test.ts', [
    [
      'A seller’s other offers are withdrawn once they received enough',
      [offers, 'await holdAtLimit(ctx, sellerId)'],
    ],
  ]),
  ...heldBy('server/matching/rules/asking.test.ts', [
    [
      'A listing has at most ten reviews in 90 days',
      [predicates, "if (facts.completedIn90Days >= productExposure.reviews) return 'EXPOSURE_REACHED'"],
    ],
  ]),
  ...heldBy('server/matching/declarations.test.ts', [
    [
      'A larger club lets a member declare more',
      ['contract/organization.ts', 'share: 0.1, least', 'share: 0.001, least'],
    ],
  ]),
  ...heldBy('server/matching/preferences/unwanted.test.ts', [
    ['Half of the other members’ products stay possible', [numbers, 'shareLeft: 0.5', 'shareLeft: 0']],
    ['A seller’s products count as two at most in that half', [numbers, 'ofSeller: 2', 'ofSeller: 2000']],
    [
      'In that half, only products of members who take part count',
      [leftOut, "where ${takesPart('p.seller_id')}"],
    ],
  ]),
  ...heldBy('server/matching/exclusions/exclusions.test.ts', [
    [
      'Two members take a broken listing out of the rotation',
      [numbers, '{ members: 2, days: 30 }', '{ members: 3, days: 30 }'],
    ],
    [
      'One member alone takes no listing out of the rotation',
      [numbers, '{ members: 2, days: 30 }', '{ members: 1, days: 30 }'],
    ],
    [
      'Two accounts of one person take no listing out of the rotation',
      [exclusions, " and ${mayBeOnePerson(sql.ref('x.member_id'), sql.ref('r.member_id'))}", ' and false'],
    ],
    [
      'The same members do not take a listing out again at once',
      [exclusions, 'where mine.closed_at is null\n      or ', 'where mine.closed_at is null or true or '],
    ],
  ]),
  ...heldBy('server/matching/beacon/beacon.test.ts', [
    ['A request waits for the value of its beacon', [statements, ' and not ${awaitsBeacon})`', ')`']],
  ]),
]
