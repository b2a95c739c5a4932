import { refusalCode } from '#web/kit/refusal-messages.ts'

/** What the field says of a username that the server did not take. */
export const usernameProblems = {
  INVALID_USERNAME: 'Invalid username format',
  USERNAME_TAKEN: 'That username is already taken',
}

/** Which of these problems an error is; null for any other. */
export function usernameProblemOf(error: unknown): keyof typeof usernameProblems | null {
  const code = refusalCode(error)
  return code === 'INVALID_USERNAME' || code === 'USERNAME_TAKEN' ? code : null
}
