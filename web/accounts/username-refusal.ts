import { memberRefusals } from '#contract/members.ts'
import type { FormFailure } from '#web/kit/form.tsx'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'

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

/** Shows a refused username as a toast, and returns it for its field. Null for any other error. */
export function explainUsername(error: unknown): FormFailure | null {
  const problem = usernameProblemOf(error)
  if (!problem) return null
  const { title, message } = memberRefusals[problem]
  toast({ title, description: message, tone: 'danger' })
  return { fields: { username: usernameProblems[problem] } }
}
