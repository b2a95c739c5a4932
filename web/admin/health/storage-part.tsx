import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { staffApi, staffClient } from '../api.ts'
import { useAdminsOnly, useChange } from './changes.ts'
import { formatBytes } from './format.ts'
import { everyMs, Figures, Part } from './part.tsx'

/** The stored files, and the space on their disk. */
export function StoragePart() {
  const storage = useQuery({ ...staffApi.health.getStorage.queryOptions(), refetchInterval: everyMs.part })
  const adminsOnly = useAdminsOnly()
  const { change, busy } = useChange()
  return (
    <Part
      title="Storage"
      help="Pictures, proofs and archives. A worker counts them every hour."
      query={storage}
      action={
        <Button
          size="sm"
          busy={busy('measure')}
          disabledReason={adminsOnly}
          onClick={() =>
            change({
              key: 'measure',
              said: 'The files are being counted',
              call: () => staffClient.health.measureStorage(),
            })
          }
        >
          Count now
        </Button>
      }
    >
      {({ measured, disk }) => (
        <>
          <Figures
            figures={[
              { label: 'Files', value: measured ? formatNumber(measured.files) : '–' },
              { label: 'Size', value: measured ? formatBytes(measured.bytes) : '–' },
              {
                label: 'Free on the disk',
                value: disk
                  ? `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)}`
                  : 'Not known',
              },
            ]}
          />
          <p className="px-5 pb-4 text-13 text-ink-2">
            {measured ? `Counted on ${formatDateTime(measured.at)}.` : 'The files were not counted yet.'}
          </p>
        </>
      )}
    </Part>
  )
}
