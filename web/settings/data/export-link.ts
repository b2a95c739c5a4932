import { paths } from '#web/paths.ts'

/*
 * The secret of the link to an archive. It comes in the fragment of the address, which no server or log sees, and stays
 * in memory only, also while somebody signs in first.
 */
let kept: { exportId: string; token: string } | null = null

/** Where the mail's link to an archive leads, `/settings?export=<id>#token=<secret>`. Its secret leaves the address here. Null without an archive. */
export function followExportLink(search: string, fragment: string): string | null {
  const exportId = new URLSearchParams(search).get('export')
  if (exportId === null) return null
  const token = new URLSearchParams(fragment).get('token')
  if (token) kept = { exportId, token }
  return paths.dataExport(exportId)
}

/** The secret for this archive, when its link was followed to get here. */
export function exportSecretFor(exportId: string): string | null {
  return kept?.exportId === exportId ? kept.token : null
}

/** Once it was used, or was found to be worth nothing. */
export function deleteExportSecret(): void {
  kept = null
}
