import { z } from 'zod'
import { accountRefusals } from '#contract/accounts.ts'

/** Looks like an email address. Whether it is one that mail can reach, the server says. */
export const emailAddress = z
  .string()
  .trim()
  .regex(/^\S+@\S+$/, accountRefusals.INVALID_EMAIL.message)
