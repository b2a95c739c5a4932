// A gate decides who may make a call. It is a value that a procedure carries, so that the rights can be
// listed.
import type { GateName } from '#contract/rights.ts'
import type { Ctx, Member, MemberCtx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

export type Gate<C extends Ctx = Ctx> = CallGate<C>

class CallGate<C extends Ctx> {
  readonly name: GateName
  readonly #allow: (ctx: Ctx) => C

  constructor(name: GateName, allow: (ctx: Ctx) => C) {
    this.name = name
    this.#allow = allow
  }

  /** The context of a caller who may pass. Refuses UNAUTHORIZED, FORBIDDEN and TWO_FACTOR_NEEDED. */
  allow(ctx: Ctx): C {
    return this.#allow(ctx)
  }
}

/** Visitors, and users of every role. */
const anyone: Gate = new CallGate('anyone', (ctx) => ctx)

/** Users who are signed in, of every role. */
const member: Gate<MemberCtx> = new CallGate('member', requireMember)

/** Our staff, support or admin, with a second factor. */
const staff: Gate<MemberCtx> = new CallGate('staff', (ctx) => requireRole(ctx, ['support', 'admin']))

/** Admins, with a second factor. */
const admin: Gate<MemberCtx> = new CallGate('admin', (ctx) => requireRole(ctx, ['admin']))

/** The gates, by the names that the table of rights uses. */
export const gates = { anyone, member, staff, admin } satisfies Record<GateName, Gate | Gate<MemberCtx>>

function requireMember(ctx: Ctx): MemberCtx {
  if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
  return memberOf(ctx)
}

function requireRole(ctx: Ctx, roles: Member['role'][]): MemberCtx {
  const mine = requireMember(ctx)
  if (!roles.includes(mine.who.role)) throw refuse('FORBIDDEN')
  if (!mine.who.twoFactor) throw refuse('TWO_FACTOR_NEEDED')
  return mine
}
