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
import { FailureText } from '#web/kit/ui/wait.tsx'
import { exportSecretFor, deleteExportSecret } from './export-link.ts'
import { NotConfirmed, useFresh } from '#web/settings/fresh.tsx'
import { FailedCard, LoadingCard } from '#web/settings/settings-section.tsx'

const title = 'Export my data'
const help =
  'One archive with everything we keep about you, in files that people and programs can read. ' +
  `You can request up to ${exportsPerDay} a day.`
/** How often we check whether the archive is ready, in milliseconds, in case its event does not arrive. */
const pollMs = 15_000

/** The state of the latest archive. `exportId` is the archive of an emailed link, if one was followed. */
export function DataExportCard({ exportId }: { exportId?: string }) {
  const { data, isError, error, isFetching, refetch } = useQuery(
    api.privacy.findExport.queryOptions({
      refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? pollMs : false),
    }),
  )
  if (data === undefined) {
    if (!isError) return <LoadingCard title={title} help={help} />
    return (
      <FailedCard
        title={title}
        what="Your archive could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
        error={error}
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
      <RequestArchive label="Request a new archive">
        <Alert tone="warning" announce>
          {privacyRefusals.EXPORT_GONE.message}
        </Alert>
      </RequestArchive>
    )
  }
  switch (archive?.state) {
    case undefined:
      return <RequestArchive label="Request my archive" />
    case 'preparing':
      return (
        <output className="flex items-start gap-3 text-14 text-ink">
          <Spinner className="mt-0.5 text-accent-ink" />
          <span>
            We’re preparing your archive. We’ll email you a link when it’s ready, so you can leave this page.
          </span>
        </output>
      )
    case 'ready':
      return <Ready archive={archive} isLinkFollowed={linkFor === archive.id} />
    case 'downloaded':
      return (
        <RequestArchive label="Request a new archive">
          <p className="text-14 text-ink-2">
            Your archive of <RequestedAt archive={archive} /> was downloaded.
          </p>
        </RequestArchive>
      )
    case 'expired':
      return (
        <RequestArchive label="Request a new archive">
          <p className="text-14 text-ink-2">
            Your archive of <RequestedAt archive={archive} /> was not downloaded within {exportLinkHours}{' '}
            hours, so we deleted it.
          </p>
        </RequestArchive>
      )
    case 'failed':
      return (
        <RequestArchive label="Try again">
          <Alert tone="danger" title="Your archive could not be created">
            Something went wrong on our side, and we’ve been notified. Please try again.
          </Alert>
        </RequestArchive>
      )
  }
}

function RequestedAt({ archive: { requestedAt } }: { archive: DataExport }) {
  return <time dateTime={requestedAt}>{formatDateTime(requestedAt)}</time>
}

function RequestArchive({ label, children }: { label: string; children?: ReactNode }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const request = useMutation({
    mutationFn: () => fresh(() => client.privacy.requestExport()),
    onSuccess: (archive) => {
      queryClient.setQueryData(api.privacy.findExport.queryKey(), archive)
      toast({
        title: 'We’re preparing your archive',
        description: 'We’ll email you when it’s ready.',
        tone: 'success',
      })
    },
  })
  return (
    <div className="flex flex-col items-start gap-4">
      {children ? <div className="w-full">{children}</div> : null}
      {request.isError && !(request.error instanceof NotConfirmed) ? (
        <Alert tone="danger" className="w-full">
          <FailureText failure={failureOf(request.error)} />
        </Alert>
      ) : null}
      <Button
        icon={<PackageCheck />}
        busy={request.isPending}
        busyLabel="Requesting..."
        onClick={() => request.mutate()}
      >
        {label}
      </Button>
      {identityWindow}
    </div>
  )
}

/** An archive can be downloaded once, by its signed-in member, with the link from the email. */
function Ready({ archive, isLinkFollowed }: { archive: DataExport; isLinkFollowed: boolean }) {
  const { id, bytes, expiresAt } = archive
  const secret = exportSecretFor(id)
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-14 text-pretty text-ink">
        Your archive is ready{bytes === null ? '' : ` (${sizeText(bytes)})`}.{' '}
        {expiresAt === null ? null : (
          <>
            You can download it once, until <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>.
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
        title={isLinkFollowed ? 'Open the link again' : 'Check your email for the link'}
      >
        {isLinkFollowed
          ? 'This page was reloaded. Open the link in your email again.'
          : 'To protect your data, you can only download the archive with the link we emailed you.'}
      </Alert>
      {session.state === 'authed' && session.me.demo ? <DemoMailboxLink size="sm" /> : null}
      <RequestArchive label="Request a new archive">
        <p className="text-13 text-ink-2">Lost the email? A new archive replaces this one.</p>
      </RequestArchive>
    </>
  )
}

function DownloadButton({ id, secret }: { id: string; secret: string }) {
  const queryClient = useQueryClient()
  const download = useMutation({
    mutationFn: () => save(id, secret),
    onSuccess: () => {
      deleteExportSecret()
      toast({ title: 'Archive downloaded', tone: 'success' })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.privacy.findExport.key() }),
  })
  return (
    <>
      {download.isError ? (
        <Alert tone="danger" className="w-full">
          <FailureText failure={failureOf(download.error)} />
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

/** Fetches the archive and saves it as a download. Rejects with the server's refusal. */
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
