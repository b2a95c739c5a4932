// Who may be offered what, and who may accept it.
import {
  heldBy,
  numbers,
  predicates,
  candidates,
  exclusions,
  facts,
  history,
  nudges,
  offers,
  onePerson,
  pairs,
  statements,
  tiers,
  leftOut,
  declared,
  firstTables,
} from './removal.ts'
import type { Removal } from './removal.ts'

export const meeting: Removal[] = [
  ...heldBy('server/matching/rules/meeting.test.ts', [
    // At a draw, and mostly at a nudge.
    [
      'Only a member who takes part is drawn',
      [statements, " and ${takesPart('s.member_id')} ${others}", ' ${others}'],
    ],
    ['Only a member who takes part is nudged', [nudges, "and ${takesPart('first.member_id')}"]],
    [
      'A member who is away is asked after 72 hours',
      [numbers, '{ absent: 72, standby: 96 }', '{ absent: 0, standby: 96 }'],
    ],
    [
      'A member who is on stand-by is asked after 96 hours',
      [numbers, '{ absent: 72, standby: 96 }', '{ absent: 72, standby: 72 }'],
    ],
    [
      'A member who did not visit for 72 hours is on stand-by',
      [numbers, 'standbyHours = 72', 'standbyHours = 7200'],
    ],
    [
      'A member who set themselves on stand-by is on stand-by',
      [tiers, 'when standby or last_seen_at', 'when last_seen_at'],
    ],
    [
      'A member who left is not asked like those who are here',
      [statements, 'and s.here_until > clock_timestamp()'],
      [tiers, '{ of: sql`tier = 0`, since: sql`here_until`, until: sql`clock_timestamp()` },'],
    ],
    [
      'The waiting times count from when the request waits',
      [candidates, 'coalesce(q.waiting_since, ${askedAt})', '${askedAt}'],
    ],
    ['The place in the queue makes a request no older', [statements, ' and ${waitingSince} <= ${latest}']],
    [
      'A member who gave as many ahead as the cap allows is not asked',
      [candidates, ' || member.gross >= cap + relaxation'],
    ],
    [
      'The cap relaxes as a request waits',
      [numbers, 'return 1 + Math.floor(Math.log2(waitedHours / relaxationHours.nothing))', 'return 0'],
    ],
    [
      'The cap relaxes sooner for a member who is about to receive',
      [numbers, 'return waitedHours >= hoursUntilRelaxed(1, receiving) ? 1 : 0', 'return 0'],
    ],
    [
      'A submitted review counts as received for the cap',
      [numbers, "receiving === 'submitted' ? 0", "receiving === 'submitted' ? 1"],
    ],
    ['A bought review raises the cap after an hour', [numbers, 'bought: 1,', 'bought: 4,']],
    ['A bought review does not raise the cap before an hour', [numbers, 'bought: 1,', 'bought: 0,']],
    ['An accepted review raises the cap after four hours', [numbers, 'accepted: 4,', 'accepted: 24,']],
    [
      'An accepted review does not raise the cap before four hours',
      [numbers, 'accepted: 4,', 'accepted: 1,'],
    ],
    [
      'The cap relaxes early only for a member who is about to receive',
      [
        candidates,
        'capRelaxation(request.waitedHours, member.receiving)',
        "capRelaxation(request.waitedHours, 'submitted')",
      ],
    ],
    [
      'A member who has an open offer gets no other',
      [tiers, 'or open_offer_id is not null\n', '\n'],
      [statements, ' and s.open_offer_id is null'],
      [firstTables, 'create unique index offers_one_per_member', 'create index offers_one_per_member'],
    ],
    [
      'A member who is on cooldown is not asked',
      [tiers, 'greatest(available_at, rest_until)', 'rest_until'],
      [statements, 's.available_at\n      <= clock_timestamp() ${here} and', 'true ${here} and'],
    ],
    ['A member who rests is not asked', [tiers, 'greatest(available_at, rest_until)', 'available_at']],
    [
      'A member who is in quiet hours is not asked',
      [tiers, 'quiet_from <= clock_timestamp() and quiet_until > clock_timestamp()', 'false'],
    ],
    ['A member who is late with a purchase is not asked', [candidates, 'member.overdue || ']],
    [
      'A member who reviewed the other lately does not again',
      [pairs, 'then ${since.same} else', "then 'infinity' else"],
    ],
    [
      'Two who met wait longer before they change sides',
      [pairs, 'else ${since.reverse} end', 'else ${since.same} end'],
    ],
    [
      'Two with an open exchange begin no other',
      [pairs, '(u.held or u.last_at', '(u.last_at'],
      [statements, 'where not u.held and (u.last_at is null', 'where (u.last_at is null'],
    ],
    [
      'A member who reviewed the listing is not asked again',
      [history, "e.listing and ${barsListing('r')}", 'e.listing and false'],
    ],
    [
      'A member who bought the listing for a review that lapsed is not asked again',
      [history, '${sql.ref(`${review}.purchased_at`)} is not null', 'false'],
    ],
    [
      'A member who let an offer of it expire is not asked for 24 hours',
      [numbers, '{ expired: 24, declined: 72 }', '{ expired: 0, declined: 72 }'],
    ],
    [
      'A member who declined it is not asked for 72 hours',
      [numbers, '{ expired: 24, declined: 72 }', '{ expired: 24, declined: 0 }'],
    ],
    [
      'A member who declined it for good is not asked again',
      [history, "or o.state = 'declined' and o.reason in ('not_relevant', 'similar')"],
    ],
    [
      'A member who lost an offer of it to a declaration is not asked for 72 hours',
      [history, "(o.state = 'declined' or o.by_declaration)", "o.state = 'declined'"],
    ],
    [
      'Two with a conflict do not meet',
      [
        exclusions,
        'sql<boolean>`(exists (select from conflicts x where',
        'sql<boolean>`(exists (select from conflicts x where false and',
      ],
    ],
    ['Two who paid with one card do not meet', [onePerson, '(exists (select', '(false and exists (select']],
    [
      'Two with one address or sign-in account do not meet',
      [onePerson, 'or exists (select from', 'or false and exists (select from'],
    ],
    [
      'Two of whom one declared the other do not meet',
      [declared, 'where d.about_member_id is not null and', 'where false and'],
    ],
    [
      'Two of whom one declared the other’s shop do not meet',
      [declared, 'where s.member_id <> d.member_id and', 'where false and'],
    ],
    [
      'Two of whom one declared the other’s listing do not meet',
      [declared, 'where p.seller_id <> d.member_id and', 'where false and'],
    ],
    [
      'A declaration binds both members',
      [
        'server/organization/pairs.ts',
        'or exists (select from declared_pairs x where x.one = ${other} and x.other = ${one})',
      ],
    ],
    [
      'A declaration that ended binds no one',
      [
        declared,
        'where d.about_member_id is not null and (d.ends_at is null or d.ends_at > statement_timestamp())',
        'where d.about_member_id is not null',
      ],
    ],
    ['Two with one shop do not meet', [declared, 'where b.member_id <> a.member_id', 'where false']],
    [
      'A member who owns the product is not asked',
      [
        exclusions,
        'exists (select from owned_listings x where',
        'exists (select from owned_listings x where false and',
      ],
    ],
    [
      'A member who sold the listing is not asked',
      [
        history,
        'join products p on p.listing_id = e.listing and p.seller_id = e.reviewer',
        'join products p on false',
      ],
    ],
    [
      'A member who cannot use the format is not asked',
      [
        leftOut,
        'exists (select from unusable_formats x where',
        'exists (select from unusable_formats x where false and',
      ],
    ],
    [
      'A member who reported the listing as broken is not asked',
      [
        exclusions,
        'exists (select from listing_reports x where',
        'exists (select from listing_reports x where false and',
      ],
    ],
    [
      'Only a report of the last 30 days keeps the listing away',
      [numbers, '{ members: 2, days: 30 }', '{ members: 2, days: 3000 }'],
    ],
    ['A member who does not want the product is not asked', [leftOut, 'x.listing_id = p.listing_id or ']],
    ['A member who does not want the category is not asked', [leftOut, ' or x.category = p.category']],
    [
      'A mark as unwanted that ended counts no more',
      [leftOut, '(x.ends_at is null or x.ends_at > clock_timestamp())', 'true'],
    ],
    [
      'A request waits while its seller received enough',
      [statements, 'and q.waits_until <= clock_timestamp() and', 'and'],
    ],
    [
      'No one is nudged while the seller received enough',
      [nudges, '      and q.waits_until <= clock_timestamp()\n'],
    ],
    ['No one is nudged in a request’s first half hour', [numbers, 'afterMinutes: 30', 'afterMinutes: 0']],
    [
      'No request for a closed marketplace is drawn',
      [
        statements,
        "select id from marketplaces where lane <> 'closed' order",
        'select id from marketplaces order',
      ],
    ],
    ['No one is nudged for a closed marketplace', [nudges, ' and p.marketplace_id = any(${open}::uuid[])']],
    // At an acceptance.
    ['No offer of a closed marketplace is accepted', [offers, 'if (!row || row.closed)', 'if (!row)']],
    [
      'Only a member who takes part accepts',
      [
        predicates,
        '(facts: ReceiveFacts): true | MatchingRefusal {\n  const takesPart = canTakePart(facts)',
        '(facts: ReceiveFacts): true | MatchingRefusal {\n  const takesPart = true',
      ],
    ],
    ['A member who is on cooldown does not accept', [predicates, "if (facts.onCooldown) return 'COOLDOWN'"]],
    ['A member who rests does not accept', [predicates, "if (facts.resting) return 'RESTING'"]],
    [
      'A member who is late with a purchase does not accept',
      [predicates, "if (facts.overdueReview) return 'REVIEW_OVERDUE'"],
    ],
    [
      'A member who gave as many ahead as the cap allows does not accept',
      [
        predicates,
        "if (facts.balance + facts.pendingGive >= givingCap + facts.relaxation) return 'GIVING_CAP'",
      ],
    ],
    ['Two who met since the offer do not exchange', [offers, "if (row.met) throw refuse('PAIR_MET')"]],
    ['Two who may not meet since the offer do not exchange', [offers, 'row.barred || ']],
    ['No offer is accepted once its seller received enough', [offers, ' || row.full']],
    // At a request.
    [
      'No product of a closed marketplace is asked for',
      [predicates, "if (!facts.marketplaceOpen) return 'MARKETPLACE_NOT_OPEN'"],
    ],
    [
      'A request is taken only if enough could be asked',
      [predicates, 'facts.membersWhoCould < fewestCandidates(facts.members, ahead > 0)', 'false'],
    ],
    ['A larger club takes more who could be asked', [numbers, 'share: 0.25, least', 'share: 0, least']],
    ['No club takes more than five who could be asked', [numbers, ' : most, Math.max', ' : 50, Math.max']],
    ['A seller who is ahead needs fewer who could be asked', [predicates, 'ahead > 0)', 'false)']],
    ['A member who does not take part could not be asked', [facts, "${takesPart('c.member_id')} and "]],
    [
      'A member who was not here for a day could not be asked',
      [numbers, 'candidateSeenHours = 24', 'candidateSeenHours = 2400'],
    ],
    [
      'A member who is on cooldown for a day could not be asked',
      [facts, 'greatest(c.available_at, c.rest_until)', "coalesce(c.rest_until, '-infinity')"],
    ],
    [
      'A member who rests for a day could not be asked',
      [facts, 'greatest(c.available_at, c.rest_until)', 'c.available_at'],
    ],
    [
      'A member who is in quiet hours for a day could not be asked',
      [facts, "or c.quiet_until < clock_timestamp() + interval '24 hours'", 'or true'],
    ],
    [
      'A member who stays above the cap for a day could not be asked',
      [facts, "and c.balance + c.pending_give < ${sql.lit(givingCap + capRelaxation(24, 'nothing'))}"],
    ],
    [
      'A member who met the seller lately could not be asked',
      [facts, 'and ${pairBars(sql`c.member_id`, windowStartNow)})', 'and false)'],
    ],
    [
      'A member who may not meet the seller could not be asked',
      [facts, "and not ${mustNotMeet('c.member_id')}"],
    ],
    [
      'A member who reviewed the listing could not be asked',
      [facts, "r.listing_id = p.listing_id and ${barsListing('r')}", 'false'],
    ],
    [
      'A member who was asked about the listing lately could not be asked',
      [facts, 'and ${askedRecently}', 'and false'],
    ],
    [
      'A member who cannot take the product could not be asked',
      [facts, "and not ${cannotTake('c.member_id')}"],
    ],
    [
      'A member who sold the listing could not be asked',
      [facts, 'products o where o.listing_id', 'products o where false and o.listing_id'],
    ],
    [
      'The whole club is looked at where few of the first may take it',
      [facts, 'few.candidates < ${sql.lit(enough)}', 'true'],
    ],
  ]),
]
