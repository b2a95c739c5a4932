import { refusalCode } from '#web/kit/refusal-messages.ts'

/** The field's messages for a username that the server refused. */
export const usernameProblems = {
  INVALID_USERNAME: 'Invalid username format',
  USERNAME_TAKEN: 'That username is already taken',
}

/** The problem with the username that an error reports; null for any other error. */
export function usernameProblemOf(error: unknown): keyof typeof usernameProblems | null {
  const code = refusalCode(error)
  return code === 'INVALID_USERNAME' || code === 'USERNAME_TAKEN' ? code : null
}
