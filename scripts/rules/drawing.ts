// How the draw chooses, what a request and a decline cost, and the figures that set the times.
import {
  heldBy,
  numbers,
  predicates,
  candidates,
  offers,
  pass,
  requests,
  statements,
  circles,
  giveFirst,
  bands,
  exclusions,
  facts,
  lottery,
} from './removal.ts'
import type { Removal } from './removal.ts'

export const drawing: Removal[] = [
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
  ...heldBy('server/matching/audit/receipts.test.ts', [
    [
      'The secret of a day stays secret until the day is over',
      ['server/matching/audit/public-list.ts', '(d.day + 1)::timestamp', '(d.day + 0)::timestamp'],
    ],
    [
      'The secret of a day stays secret while its requests have small slates',
      [numbers, 'export const revealHours = ', 'export const revealHours = 0 * '],
    ],
  ]),
  ...heldBy('server/matching/rules/order.test.ts', [
    [
      'A draw looks first at those who have gone longest without an offer',
      [statements, 's.band, s.turn_at, s.member_id limit', 's.band, s.member_id limit'],
    ],
    ['An offer puts its member at the end of the rotation', [statements, ', turn_at = m.offered_at']],
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
  ...heldBy('server/matching/listings.test.ts', [
    [
      'A successor keeps the ticket of its own predecessor',
      [
        'server/matching/lottery.ts',
        ".where('id', '=', queueId)",
        ".orderBy('lotteryTicket', 'desc').limit(1)",
      ],
    ],
  ]),
  ...heldBy('server/matching/passes/passes.test.ts', [
    ['A draw looks at 512 more members', [pass, 'spare < drawSpareMost', 'spare < drawSpareMost / 4']],
    ['A draw looks at no more than 512 more', [pass, 'spare < drawSpareMost', 'spare < 4 * drawSpareMost']],
  ]),
  ...heldBy('server/matching/rules/requests.test.ts', [
    ['A successor keeps the place', [requests, 'place ? place.prioAt : priorityOf', 'priorityOf']],
    [
      'A successor keeps the ticket',
      [
        requests,
        'await ticketOf(ctx, lapsedId), place',
        '{ ...(await ticketOf(ctx, lapsedId)), lotteryNonce: Buffer.alloc(16) }, place',
      ],
    ],
    ['A successor keeps the age', [requests, 'place ? place.askedAt : null', 'null']],
    ['A successor keeps the wait', [requests, 'place ? place.waitingSince : null', 'null']],
    ['The days of writing are no wait', [requests, ' + (clock_timestamp() - q.accepted_at)']],
    [
      'A successor is drawn at a random moment',
      [requests, 'if (place) await waitAtLeast', 'if (place && !place) await waitAtLeast'],
    ],
    [
      'A successor waits if its seller received enough',
      [requests, 'greatest(clock_timestamp(), ${receivesAgainAt(of.sellerId)})', 'clock_timestamp()'],
    ],
    [
      'While members who left owe, a member who joins gives first',
      [predicates, "if (facts.giveFirst && facts.givenEver < 1) return 'GIVE_FIRST'"],
    ],
    [
      'Who stays in debt without a membership owes like who left',
      [giveFirst, 'select sum(d.balance - d.pending_take)', 'select 0 * sum(d.balance)'],
    ],
    [
      'Who is suspended while their membership runs owes nothing to others',
      [giveFirst, ' and not t.membership_active'],
    ],
    [
      'A member who joined before that need not give first',
      ['server/matching/standing.ts', "<> 'out' then ${leaversOwe}", "<> 'out' then true"],
    ],
    [
      'Once they no longer owe, no one gives first',
      [giveFirst, 'case when s.give_first then ${leaversOwe}\n  and', 'case when s.give_first then'],
    ],
    [
      'A member who gave need not give first',
      [
        giveFirst,
        'and not exists (select from ledger_entries g where g.member_id = s.member_id\n' +
          '    and g.reason in ${oneOf(givenReasons)})',
      ],
      [predicates, 'facts.giveFirst && facts.givenEver < 1', 'facts.giveFirst'],
    ],
    [
      'Where no one else asks, no one gives first',
      [giveFirst, "and exists (select from review_queue q where q.status in ('queued', 'offered')"],
      [giveFirst, 'and q.seller_id <> s.member_id and not ${isWaiting})'],
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
      [offers, "\n      and created_at >= date_trunc('day', ${at}::timestamptz, 'UTC')"],
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

  ...heldBy('server/matching/rules/asking.test.ts', [
    [
      'Only reviews of the last 90 days count toward the ten of a listing',
      [facts, 'and q.completed_at > clock_timestamp() -', 'and clock_timestamp() > clock_timestamp() -'],
    ],
    [
      'A listing keeps its ticket of the day',
      [lottery, 'const kept = isKept ? last : await', 'const kept = await'],
    ],
    ['A listing that was reviewed has another ticket', [lottery, "last.status !== 'completed' && "]],
    ['A ticket is of its day', [lottery, ' && String(last.lotteryDay) === day']],
    [
      'A seller who cancels keeps the ticket for what they ask for next',
      [lottery, 'await findUnusedTicket(ctx, asked.sellerId, day)', 'null'],
    ],
    [
      'Only a ticket of which every request was canceled is kept for another listing',
      [lottery, "'other.status', '<>', 'cancelled'", "'other.status', '=', 'held'"],
    ],
    ['No other ticket than the one that was taken is used', [lottery, "    .where('ticket', '=', ticket)\n"]],
  ]),
  ...heldBy('server/matching/rules/conflicts.test.ts', [
    [
      'A stated conflict is remembered',
      [exclusions, "if (reason === 'conflict' && (await stateConflict(ctx, offer.sellerId))) return"],
    ],
    [
      'A member states no more conflicts than they may have declarations',
      [exclusions, 'if ((await countConflicts(ctx)) >= (await readMost(ctx))) return false'],
    ],
    [
      'A listing that was declined for what its member stated stays away',
      [exclusions, 'if (isHonestReason(reason)) await keepListingAway(ctx, listingId)'],
    ],
  ]),
]
