// The published rules, made from the constants that the club runs on. Every figure comes from `published`; a sentence holds none of its own.
import { published } from './limits.ts'
import type { Limits } from './limits.ts'
import type { RuleGroup } from './rule.ts'
import { account, membership, products, reports } from './rules-club.ts'
import { asking, deadlines, declines, ledger, offers, proof, rotation, text } from './rules-exchange.ts'

/** Where on the page of rules the list of marketplaces stands. */
export const marketplaceList = 'marketplaces'

/** Every published rule, by what it is about. */
export function listRules(limits: Limits = published): RuleGroup[] {
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
    membership(limits),
    account(limits),
  ]
}
