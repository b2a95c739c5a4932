import { limitResend } from '#server/accounts/limits.ts'
import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { addNote } from '#server/members/notes.ts'
import { requireMember } from '#server/members/members.ts'
import { grantMembership } from '#server/membership/grants.ts'
import { liftSuspension, suspendAsStaff } from '#server/membership/suspensions.ts'
import { clearKept } from '#server/moderation/kept-records.ts'
import { correctEntry } from '#server/reviews/corrections.ts'
import { endSessionsAsStaff, resendVerificationAsStaff } from './members/actions.ts'
import {
  listMemberActions,
  listMemberActivity,
  listMemberExchanges,
  listMemberLedger,
  listMemberMails,
} from './members/lists.ts'
import { getMemberPage } from './members/page.ts'

const calls = api.memberPages

export const memberPageProcedures: Procedures<'memberPages'> = {
  getMemberPage: calls.getMemberPage.by((ctx, input) => getMemberPage(ctx, input)),
  listMemberLedger: calls.listMemberLedger.by((ctx, input) => listMemberLedger(ctx, input)),
  listMemberExchanges: calls.listMemberExchanges.by((ctx, input) => listMemberExchanges(ctx, input)),
  listMemberMails: calls.listMemberMails.by((ctx, input) => listMemberMails(ctx, input)),
  listMemberActivity: calls.listMemberActivity.by((ctx, input) => listMemberActivity(ctx, input)),
  listMemberActions: calls.listMemberActions.by((ctx, input) => listMemberActions(ctx, input)),
  addNote: calls.addNote.by(async (ctx, { id, text }) => addNote(ctx, { memberId: id, text })),
  resendVerification: calls.resendVerification.by({
    // Counted outside of the transaction, like the member's own requests to the same mailbox.
    prepare: async (ctx, { id }) => limitResend(ctx, (await requireMember(ctx, id)).email),
    answer: (ctx, input) => resendVerificationAsStaff(ctx, input),
  }),
  suspendMember: calls.suspendMember.by((ctx, { id, ...input }) =>
    suspendAsStaff(ctx, { memberId: id, ...input }),
  ),
  liftSuspension: calls.liftSuspension.by((ctx, { id, reason }) =>
    liftSuspension(ctx, { memberId: id, reason }),
  ),
  clearKept: calls.clearKept.by((ctx, { id, reason }) => clearKept(ctx, { memberId: id, reason })),
  endSessions: calls.endSessions.by((ctx, input) => endSessionsAsStaff(ctx, input)),
  grantMembership: calls.grantMembership.by((ctx, { id, ...input }) =>
    grantMembership(ctx, { memberId: id, ...input }),
  ),
  correctEntry: calls.correctEntry.by((ctx, { id, ...input }) =>
    correctEntry(ctx, { memberId: id, ...input }),
  ),
}
