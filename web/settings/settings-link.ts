import { paths, settingsSections } from '#web/paths.ts'
import { keepExportSecret } from './export-link.ts'

/**
 * Where a link to /settings means to go, when it names a section: `#notifications`, `?section=notifications`, or the
 * archive that a mail is about, whose secret leaves the address here. Null for the profile.
 */
export function followSettingsLink(search: string, hash: string): string | null {
  const given = new URLSearchParams(search)
  const exportId = given.get('export')
  if (exportId !== null) {
    keepExportSecret(exportId, hash)
    return paths.dataExport(exportId)
  }
  const wanted = given.get('section') ?? hash
  if (wanted === 'export') return paths.settings('data')
  const section = settingsSections.find((each) => each === wanted)
  return section ? paths.settings(section) : null
}
