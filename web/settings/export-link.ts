/*
 * The secret of the link to an archive. It comes in the fragment of the address, which no server or log sees, and stays
 * in memory only, also while somebody signs in first.
 */
let kept: { exportId: string; token: string } | null = null

/** Takes the secret out of a fragment such as `token=…`. */
export function keepExportSecret(exportId: string, fragment: string): void {
  const token = new URLSearchParams(fragment).get('token')
  if (token) kept = { exportId, token }
}

/** The secret for this archive, when its link was followed to get here. */
export function exportSecretFor(exportId: string): string | null {
  return kept?.exportId === exportId ? kept.token : null
}

/** Once it was used, or was found to be worth nothing. */
export function forgetExportSecret(): void {
  kept = null
}
