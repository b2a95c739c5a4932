// How a rule of the rotation is removed: the tests that hold it, and the edits after which it is gone. Where
// two places hold a rule, its edits remove both.

/** In this file, this text, which is there exactly once, becomes that one. */
type Edit = { file: string; from: string; to: string }
export type Removal = { rule: string; tests: string; edits: Edit[] }
/** An edit without its last text only removes. */
type Held = [rule: string, ...edits: [file: string, from: string, to?: string][]]

/** The rules that one file of tests holds. */
export function heldBy(tests: string, rules: Held[]): Removal[] {
  return rules.map(([rule, ...edits]) => ({
    rule,
    tests,
    edits: edits.map(([file, from, to = '']) => ({ file, from, to })),
  }))
}

/** Files with several rules. */
export const numbers = 'contract/matching-rules.ts'
export const predicates = 'contract/matching.ts'
export const candidates = 'server/matching/candidates.ts'
export const exclusions = 'server/matching/exclusions/exclusions.ts'
export const onePerson = 'server/members/one-person.ts'
export const facts = 'server/matching/facts.ts'
export const history = 'server/matching/history.ts'
export const nudges = 'server/matching/presence/nudges.ts'
export const offers = 'server/matching/offers.ts'
export const pairs = 'server/matching/pairs.ts'
export const pass = 'server/matching/pass.ts'
export const requests = 'server/matching/requests.ts'
export const resuming = 'server/matching/limits/resuming.ts'
export const takenBack = 'server/matching/limits/taken-back.ts'
export const statements = 'server/matching/passes/statements.ts'
export const tiers = 'server/matching/tiers.ts'
export const accepts = 'server/matching/limits/accepted.ts'
export const circles = 'server/matching/limits/circles.ts'
export const giveFirst = 'server/matching/limits/give-first.ts'
export const leftOut = 'server/matching/preferences/left-out.ts'
export const declared = 'db/migrations/2026-11-22-60-organization.sql'
export const bands = 'db/migrations/2026-11-22-70-nudges-and-rests.sql'
export const standings = 'db/migrations/2026-11-22-50-payments.sql'
export const firstTables = 'db/migrations/2026-11-21-05-matching.sql'
export const lottery = 'server/matching/lottery.ts'
export const debts = 'server/reviews/ledger/debts.ts'
