// How to remove each rule of the rotation, for `npm run test:rules`: the tests that hold it, and the edits
// after which it is gone. Where two places hold a rule, its edits remove both.

/** In this file, this text, which is there exactly once, becomes that one. */
type Edit = { file: string; from: string; to: string }
export type Removal = { rule: string; tests: string; edits: Edit[] }
/** An edit without its last text only removes. */
type Held = [rule: string, ...edits: [file: string, from: string, to?: string][]]

const numbers = 'contract/matching-rules.ts'
const predicates = 'contract/matching.ts'
const candidates = 'server/matching/candidates.ts'
const exclusions = 'server/matching/exclusions.ts'
const facts = 'server/matching/facts.ts'
const history = 'server/matching/history.ts'
const nudges = 'server/matching/presence/nudges.ts'
const offers = 'server/matching/offers.ts'
const pairs = 'server/matching/pairs.ts'
const pass = 'server/matching/pass.ts'
const requests = 'server/matching/requests.ts'
const statements = 'server/matching/passes/statements.ts'
const tiers = 'server/matching/tiers.ts'
const circles = 'server/matching/limits/circles.ts'
const thermostat = 'server/matching/limits/thermostat.ts'
const leftOut = 'server/matching/preferences/left-out.ts'
const declared = 'db/migrations/2026-11-22-60-organization.sql'
const bands = 'db/migrations/2026-11-22-70-nudges-and-rests.sql'
const standings = 'db/migrations/2026-11-22-50-payments.sql'
const firstTables = 'db/migrations/2026-11-21-05-matching.sql'

export const removals: Removal[] = [
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
      [history, "e.listing and r.status <> 'lapsed'", 'e.listing and false'],
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
    ['Two who paid with one card do not meet', [exclusions, 'or ${paidWithOneCard(id, sql`p.seller_id`)}']],
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
    // At an acceptance.
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
      [facts, "r.listing_id = p.listing_id and r.status <> 'lapsed'", 'false'],
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
  ...heldBy('server/matching/rules/both-ways.test.ts', [
    [
      'No two are drawn for each other in one pass',
      [
        'server/matching/passes/solve.ts',
        'return reviewing !== NONE && graph.seller[reviewing] === candidate',
        'return false',
      ],
      [
        statements,
        'select least(seller, reviewer), greatest(seller, reviewer), true',
        'select distinct on (1, 2) least(seller, reviewer), greatest(seller, reviewer), true',
      ],
    ],
    [
      'As many are served as rules allow',
      [
        'server/matching/passes/solve.ts',
        'if (best === NONE) augment(graph, request)\n    else assign',
        'if (best !== NONE) assign',
      ],
    ],
  ]),
  ...heldBy('server/matching/rules/order.test.ts', [
    ['The lowest band is asked first', [pass, '(candidates[candidate]?.band ?? 0) + ']],
    [
      'Reviews being written for a member lower their band',
      [bands, 'greatest(balance + pending_give - pending_take -', 'greatest(balance + pending_give -'],
    ],
    [
      'A member who refused ten in a row and owes is last of their band',
      [bands, '(refusals >= 10 and', '(false and'],
    ],
    ['A request is drawn among the slate of its age', [pass, 'value >= (shares[request] ?? 0) || ']],
    [
      'The slate of a successor is that of its age',
      [candidates, 'coalesce(q.asked_at, q.created_at)', 'q.created_at'],
    ],
    [
      'The lottery decides within a band',
      [pass, '(value + Number(circles.has(request, candidate)))', 'Number(circles.has(request, candidate))'],
    ],
    [
      'A member who would close a circle of three is last of their band',
      [pass, '(value + Number(circles.has(request, candidate)))', 'value'],
    ],
    ['A circle is one of the last 28 days', [numbers, 'circleDays = 28', 'circleDays = 2800']],
    ['A circle is one of the pair window', [circles, 'greatest(${since.same},', "greatest('-infinity',"]],
    [
      'A lapsed review closes no circle',
      [circles, "and given.status <> 'lapsed' and got.status <> 'lapsed'"],
    ],
    [
      'The earliest request is served first',
      [statements, 'order by q.prio_at, q.id limit', 'order by q.id limit'],
    ],
    [
      'A member who gave moves twelve hours ahead in the queue',
      [numbers, 'activeBonusHours = 12', 'activeBonusHours = 0'],
    ],
    [
      'A member who gave more than a week ago does not move ahead',
      [numbers, 'activeDays = 7', 'activeDays = 700'],
    ],
  ]),
  ...heldBy('server/matching/rules/requests.test.ts', [
    ['A successor keeps the place', [requests, 'place ? place.prioAt : priorityOf', 'priorityOf']],
    [
      'A successor keeps the ticket',
      [
        requests,
        'await ticketOfLast(ctx, listingId), place',
        '{ ...(await ticketOfLast(ctx, listingId)), lotteryNonce: Buffer.alloc(16) }, place',
      ],
    ],
    ['A successor keeps the age', [requests, 'place ? place.askedAt : null', 'null']],
    ['A successor keeps the wait', [requests, 'place ? place.waitingSince : null', 'null']],
    ['The days of writing are no wait', [requests, ' + (clock_timestamp() - q.accepted_at)']],
    [
      'A successor waits if its seller received enough',
      [requests, '? receivesAgainAt(of.sellerId)\n', "? '-infinity'\n"],
    ],
    [
      'While the club’s account is below zero, a member who joins gives first',
      [predicates, "if (facts.giveFirst && facts.givenEver < 1) return 'GIVE_FIRST'"],
    ],
    [
      'A member who joined before the account fell below zero need not give first',
      ['server/matching/standing.ts', 'giveFirst: clubOwes', 'giveFirst: true'],
    ],
    [
      'Once the account is not below zero, no one gives first',
      [thermostat, 'case when s.give_first then ${clubOwes}\n  and', 'case when s.give_first then'],
    ],
    [
      'A member who gave need not give first',
      [
        thermostat,
        "and not exists (select from ledger_entries g where g.member_id = s.member_id and g.reason = 'gave')",
      ],
      [predicates, 'facts.giveFirst && facts.givenEver < 1', 'facts.giveFirst'],
    ],
    [
      'Where no one else asks, no one gives first',
      [thermostat, "and exists (select from review_queue w where w.status in ('queued', 'offered')"],
      [thermostat, 'and w.seller_id <> s.member_id and w.waits_until <= clock_timestamp())'],
    ],
  ]),
  ...heldBy('server/matching/rules/declines.test.ts', [
    ['Each further decline of a day costs a longer cooldown', [numbers, '[0, 30, 120, 360]', '[0, 0, 0, 0]']],
    [
      'Two declines a day that state a fact are free',
      [numbers, 'freeDeclinesPerDay = 2', 'freeDeclinesPerDay = 0'],
    ],
    [
      'The third decline of a day that states a fact is not free',
      [numbers, 'freeDeclinesPerDay = 2', 'freeDeclinesPerDay = 200'],
    ],
    [
      'Only a decline that states a fact is free',
      [numbers, 'return isHonestReason(reason) && freeToday', 'return freeToday'],
    ],
    [
      'The ladder of declines begins again each day',
      [offers, "\n      and created_at >= date_trunc('day', clock_timestamp(), 'UTC')"],
    ],
  ]),
  ...heldBy('server/matching/rules/figures.test.ts', [
    [
      'The pair window follows the size of the club',
      [
        'server/matching/figures.ts',
        'pairWindowDays(measured.members, weeklyRate)',
        'pairWindowDays(20, weeklyRate)',
      ],
    ],
    [
      'The pair window follows the pace of the club',
      [
        'server/matching/figures.ts',
        'pairWindowDays(measured.members, weeklyRate)',
        'pairWindowDays(measured.members, 0)',
      ],
    ],
    [
      'The pace of the club is that of four weeks',
      ['server/matching/figures.ts', "and completed_at > clock_timestamp() - interval '672 hours'"],
    ],
    [
      'The window of those who change sides follows the size of the club',
      [
        'server/matching/figures.ts',
        'reverseWindowDays(measured.members, windowDays)',
        'reverseWindowDays(20, windowDays)',
      ],
    ],
    [
      'An offer to a member who is here stays open longer where few are answered',
      [numbers, 'isSlow ? slowAnswers.minutes : offerMinutes.present', 'offerMinutes.present'],
    ],
    ['A few offers alone do not say how many are answered', [numbers, 'of >= slowAnswers.fewest && ', '']],
    [
      'Only answers within the usual time count as such',
      [
        'server/matching/figures.ts',
        '\n    and responded_at <= offered_at + make_interval(mins => ${offerMinutes.present})',
        '',
      ],
    ],
    [
      'Offers to members who were away do not count',
      ['server/matching/figures.ts', 'where live and state', 'where state'],
    ],
    [
      'Answers of more than four weeks ago do not count',
      ['server/matching/figures.ts', 'make_interval(days => ${slowAnswers.days})', "interval '1000 days'"],
    ],
    [
      'An offer that is still open after the usual time is not answered in it',
      [
        'server/matching/figures.ts',
        "where live and state <> 'withdrawn'",
        "where live and state not in ('withdrawn', 'open')",
      ],
    ],
    [
      'Offers of the last half hour do not count',
      [
        'server/matching/figures.ts',
        'where offered_at < clock_timestamp() - make_interval(mins => ${offerMinutes.present})\n',
        '\n',
      ],
    ],
    [
      'Only the latest offers count',
      ['server/matching/figures.ts', 'order by id desc limit ${sql.lit(slowAnswers.offers)}'],
    ],
    [
      'An offer has the time that was measured',
      [statements, 'select live_offer_minutes from rotation_figures', 'select 30'],
    ],
    [
      'Only members who take part make the club larger',
      ['server/membership/standings.ts', "standings t where ${isTakingPart('t.standing')})", 'standings t)'],
    ],
  ]),
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
      [offers, 'case when a.today >= ${acceptLimits.perDay}', 'case when false'],
    ],
    [
      'A member who accepted eight reviews in a week is not asked for a time',
      [offers, 'case when a.week >= ${acceptLimits.perWeek}', 'case when false'],
    ],
  ]),
  ...heldBy('server/matching/presence/rests.test.ts', [
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
  ]),
  ...heldBy('server/matching/presence/nudges.test.ts', [
    ['A member is nudged once in 24 hours', [numbers, 'perMemberHours: 24', 'perMemberHours: 0']],
    ['A request nudges once in an hour', [numbers, 'perRequestMinutes: 60', 'perRequestMinutes: 0']],
    ['Whom no nudge reaches is not nudged', [nudges, "and ${isReachable('nudges', 'first.member_id')}"]],
    ['No one is nudged for a closed marketplace', [nudges, ' and p.marketplace_id = any(${open}::uuid[])']],
  ]),
  ...heldBy('server/matching/requests.test.ts', [
    ['A member who has a review on credit gives before asking', [predicates, '- 1 < -creditLine', '< -99']],
    [
      'A member who took a request back while a member was asked waits a day',
      [numbers, 'takenBackHours = 24', 'takenBackHours = 0'],
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
  ...heldBy('server/matching/races.test.ts', [
    [
      'A seller’s other offers are withdrawn once they received enough',
      [offers, 'await holdAtLimit(ctx, sellerId)'],
    ],
  ]),
  ...heldBy('server/matching/listings.test.ts', [
    [
      'A listing has at most ten reviews in 90 days',
      [predicates, "if (facts.completedIn90Days >= productExposure.reviews) return 'EXPOSURE_REACHED'"],
    ],
  ]),
  ...heldBy('server/matching/marketplaces.test.ts', [
    [
      'No request for a closed marketplace is drawn',
      [
        statements,
        "select id from marketplaces where lane <> 'closed' order",
        'select id from marketplaces order',
      ],
    ],
  ]),
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
  ]),
  ...heldBy('server/membership/suspensions.test.ts', [
    [
      'A suspension that is over counts no more',
      [standings, 'and (m.suspended_until is null or m.suspended_until > statement_timestamp())'],
    ],
  ]),
]

function heldBy(tests: string, rules: Held[]): Removal[] {
  return rules.map(([rule, ...edits]) => ({
    rule,
    tests,
    edits: edits.map(([file, from, to = '']) => ({ file, from, to })),
  }))
}
