import { useQuery } from '@tanstack/react-query'
import type { BouncedAddress, FailedMail } from '#contract/staff/health.ts'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import { paths } from '#web/paths.ts'
import { staffApi, staffClient } from '../api.ts'
import { useAdminsOnly, useChange } from './changes.ts'
import { formatWait } from './format.ts'
import { everyMs, Figures, Part } from './part.tsx'
import { ReasonButton } from './reason-dialog.tsx'

/** Mails that wait or failed, and the addresses that bounced. */
export function OutboxPart() {
  const outbox = useQuery({ ...staffApi.health.getOutbox.queryOptions(), refetchInterval: everyMs.part })
  return (
    <Part title="Email" help="Mails that wait, mails that failed, and addresses that bounced." query={outbox}>
      {({ waiting, waitSeconds, sentIn24Hours, failed, failedCount, bounced, bouncedCount }) => (
        <>
          <Figures
            figures={[
              { label: 'Waiting', value: formatNumber(waiting) },
              { label: 'Longest wait', value: formatWait(waitSeconds) },
              { label: 'Sent in 24 hours', value: formatNumber(sentIn24Hours) },
              { label: 'Failed in 30 days', value: formatNumber(failedCount) },
              { label: 'Bounced addresses', value: formatNumber(bouncedCount) },
            ]}
          />
          {failed.length > 0 ? <Failed mails={failed} /> : null}
          {bounced.length > 0 ? <Bounced addresses={bounced} /> : null}
        </>
      )}
    </Part>
  )
}

function To({ maskedAddress, memberId }: { maskedAddress: string; memberId: string | null }) {
  return memberId ? <TextLink href={paths.adminUser(memberId)}>{maskedAddress}</TextLink> : maskedAddress
}

function Failed({ mails }: { mails: FailedMail[] }) {
  const adminsOnly = useAdminsOnly()
  const { change, refresh, busy } = useChange()
  return (
    <Table
      caption="Failed mails"
      dense
      rows={mails}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'mail',
          header: 'Failed mail',
          cell: ({ template, ...mail }) => (
            <>
              <span className="block font-medium">{template}</span>
              <span className="block text-13 text-ink-2">
                <To {...mail} />
              </span>
            </>
          ),
        },
        {
          id: 'error',
          header: 'Error',
          cell: ({ error, attempts }) => (
            <span className="line-clamp-3 max-w-md wrap-anywhere text-13">
              {error} ({formatNumber(attempts)} {attempts === 1 ? 'attempt' : 'attempts'})
            </span>
          ),
        },
        {
          id: 'failed',
          header: 'Failed',
          align: 'right',
          wide: true,
          cell: ({ failedAt }) => formatDateTime(failedAt),
        },
        {
          id: 'actions',
          header: 'Actions',
          quiet: true,
          align: 'right',
          cell: ({ id, template, complete }) => (
            <span className="inline-flex gap-2">
              <Button
                size="sm"
                busy={busy(id)}
                disabledReason={adminsOnly ?? (complete ? null : contentGone)}
                aria-label={`Send again: ${template}`}
                onClick={() =>
                  change({
                    key: id,
                    said: 'The mail is sent again',
                    call: () => staffClient.health.resendMail({ id }),
                  })
                }
              >
                Send again
              </Button>
              <ReasonButton
                label="Discard"
                about={template}
                title="Discard this mail?"
                description="The mail is deleted and never sent."
                disabledReason={adminsOnly}
                onConfirm={async (reason) => {
                  await staffClient.health.discardMail({ id, reason })
                  await refresh()
                }}
              />
            </span>
          ),
        },
      ]}
    />
  )
}

const contentGone = 'Its one-time link was deleted when it failed. The member can request a new one.'

function Bounced({ addresses }: { addresses: BouncedAddress[] }) {
  const adminsOnly = useAdminsOnly()
  const { refresh } = useChange()
  return (
    <Table
      caption="Bounced addresses"
      dense
      rows={addresses}
      rowKey={({ key }) => key}
      columns={[
        { id: 'address', header: 'Bounced address', cell: (address) => <To {...address} /> },
        {
          id: 'bounced',
          header: 'Bounced',
          align: 'right',
          cell: ({ bouncedAt }) => formatDateTime(bouncedAt),
        },
        {
          id: 'actions',
          header: 'Actions',
          quiet: true,
          align: 'right',
          cell: ({ key, maskedAddress }) => (
            <ReasonButton
              label="Send to it again"
              about={maskedAddress}
              title="Send mail to this address again?"
              description={
                `${maskedAddress} gets mail again. ` + 'If it still refuses mail, it is listed here again.'
              }
              disabledReason={adminsOnly}
              onConfirm={async (reason) => {
                await staffClient.health.clearBouncedAddress({ key, reason })
                await refresh()
              }}
            />
          ),
        },
      ]}
    />
  )
}
