import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { DataExportCard } from './data-export-card.tsx'
import { SettingsSection } from '#web/settings/settings-section.tsx'

/** What is kept about the member: a copy of it, and the end of it. `exportId` is the archive that a mailed link is for. */
export function DataSettings({ exportId }: { exportId?: string }) {
  return (
    <SettingsSection
      title="Your data"
      help="Take a copy of everything we keep about you, or have it deleted."
    >
      <DataExportCard exportId={exportId} />
      <Card
        level={3}
        title="Delete account"
        help="Ends your membership and deletes what we keep about you. You see first what happens to your offers, reviews and products."
      >
        <LinkButton href={paths.settings('delete')}>Delete my account…</LinkButton>
      </Card>
    </SettingsSection>
  )
}
