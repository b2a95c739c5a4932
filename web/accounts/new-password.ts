import { z } from 'zod'
import { accountRefusals, passwordLength } from '#contract/accounts.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import type { FormFailure } from '#web/kit/form-failure.ts'

export const newPassword = z
  .string()
  .min(passwordLength.min, accountRefusals.PASSWORD_TOO_SHORT.message)
  .max(passwordLength.max, accountRefusals.PASSWORD_TOO_LONG.message)

export const newPasswordHint =
  'Use 8+ characters. Add a mix of letters, numbers, and symbols for a stronger password.'

/** Requires both passwords to match. `when` makes it run even if other fields are wrong. */
export const samePassword = {
  path: ['confirmation'],
  message: "Passwords don't match",
  when: () => true,
}

/** The same rule with the message for a password that replaces another. */
export const repeatedPassword = {
  path: ['confirmation'],
  message: 'Passwords do not match.',
  when: () => true,
}

/** Explains why a password was not replaced. Errors of a single field stay at the field. */
export function explainNewPassword(error: unknown): FormFailure {
  const failure = failureOf(error)
  if (failure.fields) return failure
  return { title: 'Failed to update password. Please try again.', message: failure.message }
}
