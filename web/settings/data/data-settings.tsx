import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { DataExportCard } from './data-export-card.tsx'
import { SettingsSection } from '#web/settings/settings-section.tsx'

/** /settings/data: exporting and deleting the member's data. `exportId` is the archive of an emailed link. */
export function DataSettings({ exportId }: { exportId?: string }) {
  return (
    <SettingsSection
      title="Your data"
      help="Download a copy of everything we keep about you, or delete your account."
    >
      <DataExportCard exportId={exportId} />
      <Card
        level={3}
        title="Delete account"
        help="Ends your membership and deletes what we keep about you. First, we’ll show you what that means."
      >
        <LinkButton href={paths.settings('delete')}>Delete my account…</LinkButton>
      </Card>
    </SettingsSection>
  )
}
