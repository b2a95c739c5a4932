/*
 * Imported first, before any schema is created: Zod must not compile code from text, which the content
 * security policy forbids and reports.
 */
import { config } from 'zod/mini'

config({ jitless: true })
