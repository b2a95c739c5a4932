import { useQuery } from '@tanstack/react-query'
import type { BackupRecord, DrillRecord } from '#contract/staff/health.ts'
import { formatAgo, formatDateTime, formatNumber, serverNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { staffApi } from '../api.ts'
import { formatBytes, formatWait } from './format.ts'
import { everyMs, Figures, Part } from './part.tsx'

// Backups are made every day, so one that is older has been missed.
const overdueMs = 26 * 3600 * 1000

/** The latest backups, and whether one was restored and found to be whole. */
export function BackupsPart() {
  const backups = useQuery({ ...staffApi.health.getBackups.queryOptions(), refetchInterval: everyMs.part })
  return (
    <Part
      title="Backups"
      help="Made on the server by npm run backup, and tried by npm run restore -- --drill."
      query={backups}
    >
      {({ backups: [backup], drills: [drill], goodDrill }) => (
        <>
          <Trouble backup={backup} drill={drill} />
          <Figures
            figures={[
              { label: 'Last backup', value: backup ? formatAgo(backup.snapshotAt) : 'None yet' },
              { label: 'Size', value: backup ? formatBytes(backup.bytes) : '–' },
              { label: 'Encrypted', value: backup ? (backup.encrypted ? 'Yes' : 'No') : '–' },
              { label: 'Last good drill', value: goodDrill ? formatAgo(goodDrill.at) : 'None yet' },
              { label: 'Time to restore', value: goodDrill ? formatWait(goodDrill.seconds) : '–' },
            ]}
          />
          {backup ? (
            <p className="px-5 pb-4 text-13 text-ink-2">
              It shows the club as of {formatDateTime(backup.snapshotAt)}: {formatNumber(backup.rows)} rows
              and {formatNumber(backup.files)} files.
            </p>
          ) : null}
        </>
      )}
    </Part>
  )
}

function Trouble({ backup, drill }: { backup: BackupRecord | undefined; drill: DrillRecord | undefined }) {
  if (drill?.fault)
    return (
      <Alert tone="danger" className="m-5 mb-0" title="The last restore drill failed">
        {drill.fault} It ran on {formatDateTime(drill.at)}.
      </Alert>
    )
  if (backup && serverNow() - Date.parse(backup.snapshotAt) > overdueMs)
    return (
      <Alert tone="warning" className="m-5 mb-0" title="A backup is overdue">
        Backups are due every day. Look at the log of the one that was missed.
      </Alert>
    )
  return null
}
