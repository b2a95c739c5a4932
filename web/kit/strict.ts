/*
 * The entry imports this first, before any schema is created. Zod must not compile code from text, since the
 * content security policy forbids and reports it.
 */
import { config } from 'zod/mini'

config({ jitless: true })
