import { z } from 'zod'
import { accountRefusals } from '#contract/accounts.ts'

/** Checks only the rough shape of an email address. The server decides whether it accepts the address. */
export const emailAddress = z
  .string()
  .trim()
  .regex(/^\S+@\S+$/, accountRefusals.INVALID_EMAIL.message)
