// The published rules. Every figure comes from `published`, the constants that the club runs on.
import type { PaymentsMode } from '#contract/membership.ts'
import { published } from './limits.ts'
import type { Limits } from './limits.ts'
import type { RuleGroup } from './rule.ts'
import { account, closedMembership, membership, products, reports } from './rules-club.ts'
import { asking, deadlines, declines, ledger, offers, proof, rotation, text } from './rules-exchange.ts'

/** The id of the list of marketplaces on the rules page. */
export const marketplaceList = 'marketplaces'

/** Every published rule, in groups. */
export function listRules(limits: Limits = published, payments: PaymentsMode = 'live'): RuleGroup[] {
  return [
    asking(limits),
    rotation(limits),
    offers(limits),
    declines(limits),
    deadlines(limits),
    text(limits),
    proof(limits),
    ledger(limits),
    reports(limits),
    products(limits),
    payments === 'closed' ? closedMembership(limits) : membership(limits),
    account(limits),
  ]
}
