/** How long the club keeps what it need not keep for ever, as the privacy notice says it. */
export const retention = {
  /** The activity log: what was done, by whom and from which network. */
  activityLogDays: 365,
  /** In it, the networks and browsers it was done from. */
  addressDays: 30,
  /** Mails that were sent or failed for good: to whom, and which, not what they said. */
  mailDays: 30,
  /** Events that told open pages to ask again, after they were told. */
  eventDays: 7,
  /** A sign-up that was never confirmed, with the username it wished for. */
  signUpDays: 7,
  /** That somebody asked for an archive of their data; the archive itself goes much sooner. */
  exportDays: 30,
  /** The bare number of an erased account, for erasing it again should an old backup bring it back. */
  erasureDays: 90,
}

/** How long a login session lives without being used, and in all. */
export const sessionLimits = {
  member: { idleDays: 7, totalDays: 30 },
  staff: { idleMinutes: 30, totalHours: 12 },
}
