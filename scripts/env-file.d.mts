/** Adds what `.env` sets, or the file that EVENHAND_ENV_FILE names; an empty name is no file. */
export function loadEnvFile(): void
/** For the environment of a program that must not meet the club of this folder. */
export const noEnvFile: { EVENHAND_ENV_FILE: string }
