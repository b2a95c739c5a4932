/** Refusals of the calls about flags. They are apart from the calls, which a member's browser never loads. */
export const flagRefusals = {
  NO_CASE: {
    status: 409,
    message: 'There is no one review or listing to open a case about. It may be gone.',
  },
}
