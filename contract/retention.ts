/** How long the club keeps data that expires. The privacy notice quotes these figures. */
export const retention = {
  /** Entries of the activity log: the action, its user and their network. */
  activityLogDays: 365,
  /** The network and browser in an entry of the activity log. */
  addressDays: 30,
  /** Mails that were sent or failed for good: recipient and template, not the text. */
  mailDays: 30,
  /** Live events, after they were sent to open pages. */
  eventDays: 7,
  /** A sign-up that was never confirmed, with the username it chose. */
  signUpDays: 7,
  /** The record that a member requested an archive. The archive itself is deleted much sooner. */
  exportDays: 30,
  /**
   * The id of an erased account, which is used to erase it again after an old backup is restored: longer than
   * the oldest one stays (`BACKUP_KEEP`).
   */
  erasureDays: 400,
  /** A former member's debt: keyed hashes of who they were, and the number of reviews. */
  debtMonths: 24,
  /** The suspension of a former member that has no end of its own. */
  suspensionMonths: 24,
  /** What was asked of the payment partner, after it was done or given up. */
  orderDays: 365,
  /** The events of the payment partner, after they were worked on. */
  paymentEventDays: 90,
  /** The nightly comparisons with the payment partner. */
  reconciliationDays: 365,
  /** Keyed hashes of a card, and of who deleted their account, after a first payment was given back. */
  refundMonths: 24,
  /** A message from someone without an account, with its answers, after it was resolved. */
  visitorMessageDays: 365,
  /** The numbers of those who could be drawn. The hashes of the draws stay forever. */
  drawListDays: 180,
  /** Members who reviewed each other in a circle, after the last day on which the search found them. */
  ringDays: 365,
}

/** How long a login session lasts while unused, and in total. */
export const sessionLimits = {
  member: { idleDays: 7, totalDays: 30 },
  staff: { idleMinutes: 30, totalHours: 12 },
}

/** How long a browser that signed in to an account is known as a device of its owner. */
export const knownDeviceDays = 365
