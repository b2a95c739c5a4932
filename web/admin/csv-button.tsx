import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CsvName } from '#contract/rights.ts'
import { fileRights, mayCall } from '#contract/rights.ts'
import { saveFile } from '#web/kit/save-file.ts'
import { formatNumber } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { showFailure, useFresh } from '#web/settings/fresh.tsx'
import { downloadCsv } from './csv-download.ts'

type CsvButtonProps = {
  name: CsvName
  /** What is exported, for the toast: 'Users'. */
  noun: string
  /** The filters of the list on the screen, as search parameters. */
  filter: Record<string, string | undefined>
  /** How many rows there are, such as '1,000+'. Undefined while it is unknown; '0' disables the button. */
  rows: string | undefined
}

/** Downloads the rows that the list's filters leave, as CSV. For admins; others read why they can't. */
export function CsvButton({ name, noun, filter, rows }: CsvButtonProps) {
  const { data: me } = useQuery(meOptions())
  const { fresh, identityWindow } = useFresh()
  const [loaded, setLoaded] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  // Leaving the page ends the download, and with it the query on the server.
  useEffect(() => () => running.current?.abort(), [])

  async function exportRows() {
    const controller = new AbortController()
    running.current = controller
    setLoaded(0)
    try {
      const { signal } = controller
      const file = await fresh(() => downloadCsv({ name, filter, signal, onRows: setLoaded }))
      saveFile(file.content, file.name)
      toast({ title: `${noun} exported to CSV`, tone: 'success' })
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error, `${noun} could not be exported`)
    } finally {
      setLoaded(null)
    }
  }

  const isAllowed = me !== undefined && mayCall(fileRights[`/admin/${name}.csv`], me.role)
  return (
    <div className="flex items-center gap-1.5">
      <Button
        icon={<Download />}
        busy={loaded !== null}
        busyLabel={`Exporting... ${formatNumber(loaded ?? 0)} rows`}
        disabledReason={
          !isAllowed ? 'Only admins can export data.' : rows === '0' ? 'There are no rows to export.' : null
        }
        onClick={() => void exportRows()}
      >
        Export CSV{rows === undefined || rows === '0' ? '' : ` (${rows})`}
      </Button>
      {loaded === null ? null : (
        <IconButton quiet label="Cancel the export" icon={<X />} onClick={() => running.current?.abort()} />
      )}
      {identityWindow}
    </div>
  )
}

/** What the files do to text that spreadsheets would run. It stands below a list with a CSV button. */
export function CsvNote() {
  return (
    <p className="text-12 text-ink-3 text-pretty">
      In CSV files, a cell that a spreadsheet would run as a formula starts with an apostrophe. We add it;
      everything else is as stored.
    </p>
  )
}
