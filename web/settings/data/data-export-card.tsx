import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, PackageCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { exportDownloadPath, exportLinkHours, exportsPerDay, privacyRefusals } from '#contract/privacy.ts'
import type { DataExport } from '#contract/privacy.ts'
import { DemoMailboxLink } from '#web/accounts/demo-mailbox.tsx'
import { useSession } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { saveFile } from '#web/kit/save-file.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { sizeText } from '#web/kit/ui/file-drop.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { exportSecretFor, deleteExportSecret } from './export-link.ts'
import { NotConfirmed, useFresh } from '#web/settings/fresh.tsx'
import { FailedCard, LoadingCard } from '#web/settings/settings-section.tsx'

const title = 'Export my data'
const help = `One archive with everything we keep about you, as files that people and programs can read. At most ${exportsPerDay} a day.`
/** How often it is asked whether an archive is ready, in milliseconds, should the news of it not arrive by themselves. */
const askAgainMs = 15_000

/** The archive asked for last, whatever became of it. `exportId` is the one that a mailed link is for. */
export function DataExportCard({ exportId }: { exportId?: string }) {
  const { data, isError, isFetching, refetch } = useQuery(
    api.privacy.findExport.queryOptions({
      refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? askAgainMs : false),
    }),
  )
  if (data === undefined) {
    if (!isError) return <LoadingCard title={title} help={help} />
    return (
      <FailedCard
        title={title}
        what="Your archive could not be looked up"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  }
  return (
    <Card level={3} title={title} help={help} id="export">
      <Archive archive={data} linkFor={exportId} />
    </Card>
  )
}

function Archive({ archive, linkFor }: { archive: DataExport | null; linkFor: string | undefined }) {
  if (linkFor !== undefined && linkFor !== archive?.id) {
    return (
      <Ask label="Ask for a new archive">
        <Alert tone="warning" announce>
          {privacyRefusals.EXPORT_GONE.message}
        </Alert>
      </Ask>
    )
  }
  switch (archive?.state) {
    case undefined:
      return <Ask label="Ask for my archive" />
    case 'preparing':
      return (
        <output className="flex items-start gap-3 text-14 text-ink">
          <Spinner className="mt-0.5 text-accent-ink" />
          <span>
            Your archive is being prepared. We email you a link when it is ready; you need not wait here.
          </span>
        </output>
      )
    case 'ready':
      return <Ready archive={archive} isLinkFollowed={linkFor === archive.id} />
    case 'downloaded':
      return (
        <Ask label="Ask for a new archive">
          <p className="text-14 text-ink-2">
            The archive of <time dateTime={archive.requestedAt}>{formatDateTime(archive.requestedAt)}</time>{' '}
            was downloaded.
          </p>
        </Ask>
      )
    case 'expired':
      return (
        <Ask label="Ask for a new archive">
          <p className="text-14 text-ink-2">
            The archive of <time dateTime={archive.requestedAt}>{formatDateTime(archive.requestedAt)}</time>{' '}
            was not downloaded within its {exportLinkHours} hours, and is deleted.
          </p>
        </Ask>
      )
    case 'failed':
      return (
        <Ask label="Try again">
          <Alert tone="danger" title="Your archive could not be made">
            Something went wrong on our side, and we know of it. Please try again.
          </Alert>
        </Ask>
      )
  }
}

function Ask({ label, children }: { label: string; children?: ReactNode }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const ask = useMutation({
    mutationFn: () => fresh(() => client.privacy.requestExport()),
    onSuccess: (archive) => {
      queryClient.setQueryData(api.privacy.findExport.queryKey(), archive)
      toast({
        title: 'Your archive is being prepared',
        description: 'We email you when it is ready.',
        tone: 'success',
      })
    },
  })
  return (
    <div className="flex flex-col items-start gap-4">
      {children ? <div className="w-full">{children}</div> : null}
      {ask.isError && !(ask.error instanceof NotConfirmed) ? (
        <Alert tone="danger" className="w-full">
          {failureOf(ask.error).message}
        </Alert>
      ) : null}
      <Button icon={<PackageCheck />} busy={ask.isPending} busyLabel="Asking..." onClick={() => ask.mutate()}>
        {label}
      </Button>
      {identityWindow}
    </div>
  )
}

/** It is downloaded once, by whoever is signed in and has the link of the email. */
function Ready({ archive, isLinkFollowed }: { archive: DataExport; isLinkFollowed: boolean }) {
  const { id, bytes, expiresAt } = archive
  const secret = exportSecretFor(id)
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-14 text-pretty text-ink">
        Your archive is ready{bytes === null ? '' : ` (${sizeText(bytes)})`}.{' '}
        {expiresAt === null ? null : (
          <>
            It can be downloaded once, until <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>.
          </>
        )}
      </p>
      {secret === null ? (
        <LinkNeeded isLinkFollowed={isLinkFollowed} />
      ) : (
        <DownloadButton id={id} secret={secret} />
      )}
    </div>
  )
}

function LinkNeeded({ isLinkFollowed }: { isLinkFollowed: boolean }) {
  const session = useSession()
  return (
    <>
      <Alert
        tone="info"
        className="w-full"
        title={isLinkFollowed ? 'Open the link once more' : 'The link is in your mailbox'}
      >
        {isLinkFollowed
          ? 'The page was loaded again and has forgotten the link. It still works: open it from the email again.'
          : 'So that nobody at an open screen can take your archive along, it is downloaded by the link that we have mailed you.'}
      </Alert>
      {session.state === 'authed' && session.me.demo ? <DemoMailboxLink size="sm" /> : null}
      <Ask label="Ask for a new archive">
        <p className="text-13 text-ink-2">Lost the email? A new archive takes the place of this one.</p>
      </Ask>
    </>
  )
}

function DownloadButton({ id, secret }: { id: string; secret: string }) {
  const queryClient = useQueryClient()
  const download = useMutation({
    mutationFn: () => save(id, secret),
    onSuccess: () => {
      deleteExportSecret()
      toast({ title: 'Your archive was downloaded', tone: 'success' })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.privacy.findExport.key() }),
  })
  return (
    <>
      {download.isError ? (
        <Alert tone="danger" className="w-full">
          {failureOf(download.error).message}
        </Alert>
      ) : null}
      <Button
        variant="primary"
        icon={<Download />}
        busy={download.isPending}
        busyLabel="Downloading..."
        onClick={() => download.mutate()}
      >
        Download
      </Button>
    </>
  )
}

/** Fetches the archive and hands it to the browser as a download. Rejects with the refusal of the server. */
async function save(exportId: string, token: string): Promise<void> {
  const response = await fetch(exportDownloadPath(exportId), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (!response.ok) throw await response.json()
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(await response.blob(), name ?? 'evenhand-data.zip')
}
