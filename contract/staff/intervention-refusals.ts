import type { RefusalText } from '../kit.ts'

/** Refusals of what our staff change about a member or an exchange. */
export const interventionRefusals = {
  STAFF_ACCOUNT: { status: 403, message: 'This is a staff account. An admin has to do it.' },
  ALREADY_SUSPENDED: {
    status: 409,
    message: 'This member is already suspended for at least as long. Lift that suspension first.',
  },
  NOT_SUSPENDED: { status: 409, message: 'This member is not suspended.' },
  NOTHING_KEPT: {
    status: 409,
    message: 'Nothing counts against this member from accounts that were deleted.',
  },
  ALREADY_CONFIRMED: { status: 409, message: 'This member’s email address is already confirmed.' },
  MEMBERSHIP_PAID: {
    status: 409,
    message: 'This member pays by subscription, which decides when their membership ends.',
  },
  ALREADY_CORRECTED: { status: 409, message: 'This entry was already corrected.' },
  UNDER_REPORT: {
    status: 409,
    message: 'A report about this review is open. Decide it in its case.',
  },
} satisfies Record<string, RefusalText>
