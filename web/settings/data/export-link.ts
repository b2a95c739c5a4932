import { paths } from '#web/paths.ts'

/*
 * The secret of the link to an archive. It arrives in the fragment of the address, which servers and logs do
 * not see. It is kept in memory only, which also covers a sign-in before the download.
 */
let kept: { exportId: string; token: string } | null = null

/**
 * The page for the emailed link to an archive, `/settings?export=<id>#token=<secret>`. Stores the secret,
 * which the returned address does not contain. Null without an archive.
 */
export function followExportLink(search: string, fragment: string): string | null {
  const exportId = new URLSearchParams(search).get('export')
  if (exportId === null) return null
  const token = new URLSearchParams(fragment).get('token')
  if (token) kept = { exportId, token }
  return paths.dataExport(exportId)
}

/** The secret of this archive, or null if its link was not followed. */
export function exportSecretFor(exportId: string): string | null {
  return kept?.exportId === exportId ? kept.token : null
}

/** Deletes the secret, once it has been used. */
export function deleteExportSecret(): void {
  kept = null
}
