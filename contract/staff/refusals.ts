/** Refusals of the staff area. They are apart from its calls, which a member's browser never loads. */
export const staffRefusals = {
  BAD_FILTER: { status: 400, message: 'This list has no such filter. Reload and try again.' },
  OWN_ROLE: {
    status: 409,
    message: 'You can’t change your own role. Another admin has to do it.',
  },
  ONLY_ADMIN: { status: 409, message: 'This is the only admin. Make another member an admin first.' },
}
