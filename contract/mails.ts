// What each mail is, in a sentence. The settings show the list; a check compares it with the templates.

/** `always`: the member cannot switch it off. The others belong to the kind of the same name. */
export type MailGroup = 'offers' | 'nudges' | 'writing' | 'receiving' | 'membership' | 'always'

type MailKind = { group: MailGroup; title: string; when: string }

const of = (group: MailGroup, title: string, when: string): MailKind => ({ group, title, when })

/** The mails to members, by their templates, in the order in which the settings show them. */
export const mailKinds: Readonly<Record<string, MailKind>> = {
  'offer-made': of('offers', 'Offer', 'You were drawn to review a product.'),

  nudge: of('nudges', 'Waiting request', 'A request could go to someone like you while you are away.'),

  'review-accepted': of('writing', 'Review accepted', 'You accepted an offer: the deadlines and what to do.'),
  'review-reminder': of(
    'writing',
    'Reminder',
    'A deadline for a review you’re writing is close, or has passed.',
  ),
  'review-given': of('writing', 'Review verified', 'A review you wrote is verified and counts.'),
  'review-missed': of('writing', 'Review missed', 'You didn’t submit a review in time.'),
  'review-ended': of('writing', 'Review ended', 'The seller left the club, so your review ended.'),
  'review-ended-by-staff': of('writing', 'Review ended by our staff', 'Our staff ended a review, and why.'),
  'proof-refused': of('writing', 'Proof not accepted', 'Our staff did not accept your proof of purchase.'),

  'review-under-way': of('receiving', 'Review under way', 'A member agreed to review your product.'),
  'review-to-confirm': of(
    'receiving',
    'Review to check',
    'A review of your product is ready for you to check.',
  ),
  'review-received': of('receiving', 'Review received', 'A review of your product is verified.'),
  'review-not-finished': of('receiving', 'Review not finished', 'A review of your product wasn’t submitted.'),
  'ask-possible': of('receiving', 'Asking is possible', 'You can ask for a review, as you wanted to know.'),
  'request-cancelled': of('receiving', 'Request canceled', 'Our staff canceled a request of yours, and why.'),

  'membership-joined': of('membership', 'Membership active', 'Your first payment arrived.'),
  'membership-cancelled': of(
    'membership',
    'Membership canceled',
    'You canceled, and when your membership ends.',
  ),
  'membership-kept': of('membership', 'Membership kept', 'You took a cancellation back.'),
  'membership-paused': of('membership', 'Membership paused', 'Your pause begins.'),
  'membership-resumed': of('membership', 'Pause over', 'Your pause has ended.'),

  'membership-payment-failed': of('always', 'Payment failed', 'Your card could not be charged.'),
  'membership-payment-reminder': of('always', 'Payment missing', 'A failed payment is still missing.'),
  'membership-recovered': of('always', 'Payment arrived', 'A failed payment arrived after all.'),
  'membership-refunded': of('always', 'Refund', 'A payment is on its way back to you.'),
  'membership-disputed': of('always', 'Payment disputed', 'Your bank questions a payment.'),
  'membership-ended': of('always', 'Membership ended', 'Your paid time is over.'),
  'verify-email': of('always', 'Confirm your email', 'You signed up: the link that confirms your address.'),
  'confirm-address': of(
    'always',
    'Confirm your email again',
    'Mail to you bounced, and you asked for a new link.',
  ),
  'account-exists': of('always', 'You have an account', 'Someone signed up with your address.'),
  'reset-password': of('always', 'New password', 'You asked for a link that sets a new password.'),
  'password-changed': of('always', 'Password changed', 'Your password was changed.'),
  'email-change-old': of(
    'always',
    'Change of address',
    'You asked for another address: a link to the old one.',
  ),
  'email-change-new': of('always', 'New address', 'You asked for another address: a link to the new one.'),
  'email-change-taken': of(
    'always',
    'Address in use',
    'Someone asked to move another account to your address.',
  ),
  'email-changed': of('always', 'Address changed', 'Your email address was changed.'),
  'email-change-refused': of(
    'always',
    'Change refused',
    'A change of address was refused from your mailbox.',
  ),
  'username-changed': of('always', 'Username changed', 'Your username was changed.'),
  'security-notice': of('always', 'Sign-in and security', 'A way to sign in was added, used or removed.'),
  'own-role-changed': of('always', 'Role changed', 'You joined or left our staff.'),
  'role-changed': of('always', 'Role of a member', 'To admins: someone’s role was changed.'),
  'export-ready': of('always', 'Your data', 'The archive that you asked for is ready.'),
  'account-erased': of(
    'always',
    'Account deleted',
    'Your account is gone. This is the last email you’ll get.',
  ),
  'account-suspended': of('always', 'Account suspended', 'Your account was suspended, and why.'),
  'suspension-over': of('always', 'Suspension over', 'You take part again.'),
  'case-decided': of('always', 'Decision', 'Our staff decided about something of yours, and why.'),
  'report-decided': of('always', 'Report decided', 'What came of a report you made.'),
  'appeal-decided': of('always', 'Appeal decided', 'What came of your appeal.'),
  'offer-withdrawn': of('always', 'Offer withdrawn', 'A marketplace closed while you had an offer there.'),
  'listing-broken': of('always', 'Listing broken', 'Two members reported that a listing of yours is broken.'),
  'marketplace-closed': of('always', 'Marketplace closed', 'A marketplace of your products closed for now.'),
  'marketplace-reopened': of(
    'always',
    'Marketplace open again',
    'A marketplace of your products is open again.',
  ),
  'review-closed': of('always', 'Review ended', 'A review ended because its marketplace closed.'),
  'review-private': of('always', 'Review continues privately', 'A review became private feedback.'),
  'message-received': of('always', 'Message received', 'We have the message that you wrote to our staff.'),
  'support-answer': of('always', 'Answer from our staff', 'Our staff answered your message.'),
}
