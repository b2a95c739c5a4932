import { z } from 'zod'

/** A code of an authenticator app. Spaces are removed, since apps show one in the middle. */
export const appCode = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits that your app shows now.'))
