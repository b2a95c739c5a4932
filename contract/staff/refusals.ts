/** Refusals of the staff area. They are apart from its calls, which a member's browser never loads. */
export const staffRefusals = {
  BAD_FILTER: { status: 400, message: 'This list has no such filter. Reload and try again.' },
}
