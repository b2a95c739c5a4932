/*
 * Imported first of all by the entry, before any schema is made: zod must not try to compile code from text, which the
 * content security policy forbids and reports.
 */
import { config } from 'zod/mini'

config({ jitless: true })
