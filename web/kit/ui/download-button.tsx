import { Download } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { refusalMessage } from '../refusal-messages.ts'
import { saveFile } from '../save-file.ts'
import { Button } from './button.tsx'
import { toast } from './toast.tsx'

type DownloadButtonProps = {
  /** Where the server sends the file. */
  address: string
  /** Its name if the server gives none. */
  name: string
  icon?: ReactNode
  /** Why there is nothing to download. */
  disabledReason?: string | null
  children: string
}

/** Downloads a file of the server. Shows its refusal as a toast. */
export function DownloadButton({
  address,
  name,
  icon = <Download />,
  disabledReason = null,
  children,
}: DownloadButtonProps) {
  const [busy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    try {
      const answer = await fetch(address, { credentials: 'same-origin' })
      // A refusal has the form of those of calls.
      if (!answer.ok) throw await answer.json()
      const [, named] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
      saveFile(await answer.blob(), named ?? name)
    } catch (error) {
      toast({
        title: 'The file could not be downloaded',
        description: refusalMessage(error, 'Nothing was changed. Try again in a moment.'),
        tone: 'danger',
      })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      icon={icon}
      busy={busy}
      busyLabel="Downloading..."
      disabledReason={disabledReason}
      onClick={() => void download()}
    >
      {children}
    </Button>
  )
}
