import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { AdvicePart } from './advice-part.tsx'
import { BackupsPart } from './backups-part.tsx'
import { DatabasePart } from './database-part.tsx'
import { InvariantsPart } from './invariants-part.tsx'
import { OutboxPart } from './outbox-part.tsx'
import { ProcessesPart } from './processes-part.tsx'
import { QueuesPart } from './queues-part.tsx'
import { RotationPart } from './rotation-part.tsx'
import { SimulationPart } from './simulation-part.tsx'
import { StoragePart } from './storage-part.tsx'

/** /admin/health: how the product runs. Each part is read by itself and again while the page is open. */
export function HealthScreen() {
  return (
    <Page>
      <PageHeader title="Health" help="How the club runs right now. Everything updates automatically." />
      <ProcessesPart />
      <InvariantsPart />
      <QueuesPart />
      <OutboxPart />
      <RotationPart />
      <AdvicePart />
      <SimulationPart />
      <DatabasePart />
      <StoragePart />
      <BackupsPart />
    </Page>
  )
}
