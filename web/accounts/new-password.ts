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

/** Adds that both passwords are the same, told together with whatever else is wrong. */
export const samePassword = {
  path: ['confirmation'],
  message: "Passwords don't match",
  when: () => true,
}

/** The same in the words of a password that replaces one. */
export const repeatedPassword = {
  path: ['confirmation'],
  message: 'Passwords do not match.',
  when: () => true,
}

/** Why a password was not replaced, beside what is wrong with one of the fields. */
export function explainNewPassword(error: unknown): FormFailure {
  const failure = failureOf(error)
  if (failure.fields) return failure
  return { title: 'Failed to update password. Please try again.', message: failure.message }
}
