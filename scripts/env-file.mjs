// The file of the settings that are not in the environment. Tests, benches and drills name none, so that they
// never meet the club of this folder.
import { existsSync } from 'node:fs'

/** Adds what `.env` sets, or the file that EVENHAND_ENV_FILE names; an empty name is no file. */
export function loadEnvFile() {
  const file = process.env.EVENHAND_ENV_FILE ?? '.env'
  if (file && existsSync(file)) process.loadEnvFile(file)
}

export const noEnvFile = { EVENHAND_ENV_FILE: '' }
