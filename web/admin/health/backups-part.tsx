import { useQuery } from '@tanstack/react-query'
import type { RestoreDrill } from '#contract/site.ts'
import type { BackupRecord, DrillRecord } from '#contract/staff/health.ts'
import { formatAgo, formatDateTime, formatNumber, serverNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { staffApi } from '../api.ts'
import { formatBytes, formatWait } from './format.ts'
import { everyMs, Figures, Part } from './part.tsx'

// Backups are made every day, so one that is older has been missed.
const overdueMs = 26 * 3600 * 1000
// As the alert BackupUntried says.
const untriedMs = 40 * 24 * 3600 * 1000

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
          <Trouble backup={backup} drill={drill} goodDrill={goodDrill} />
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

type TroubleProps = {
  backup: BackupRecord | undefined
  drill: DrillRecord | undefined
  goodDrill: RestoreDrill | null
}

/** The one thing to mend first. A demo has nothing to lose. */
function Trouble({ backup, drill, goodDrill }: TroubleProps) {
  if (drill?.fault)
    return (
      <Alert tone="danger" className="m-5 mb-0" title="The last restore drill failed">
        {drill.fault} It ran on {formatDateTime(drill.at)}.
      </Alert>
    )
  if (isDemo()) return null
  if (!backup)
    return (
      <Alert tone="warning" className="m-5 mb-0" title="There is no backup">
        If this server is lost, so is the club. On the server, run npm run backup, and let it run every night.
      </Alert>
    )
  if (serverNow() - Date.parse(backup.snapshotAt) > overdueMs)
    return (
      <Alert tone="warning" className="m-5 mb-0" title="A backup is overdue">
        Backups are due every day. Look at the log of the one that was missed.
      </Alert>
    )
  if (!goodDrill || serverNow() - Date.parse(goodDrill.at) > untriedMs)
    return (
      <Alert tone="warning" className="m-5 mb-0" title="No recent backup was tried">
        A backup that was never restored may not be one. On the server, run npm run restore -- --drill.
      </Alert>
    )
  return null
}
