import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flagKinds, flagReasonLength } from '#contract/staff/flags.ts'
import type { FlagFile } from '#contract/staff/flags.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { showFailure } from '#web/settings/fresh.tsx'
import { staffApi } from '../api.ts'

/** A flag: why it was raised, what it is about, the texts side by side, and what a person decides. */
export function FlagDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const flag = useQuery(staffApi.flags.getFlag.queryOptions({ input: { id } }))
  return (
    <Dialog
      open
      size="lg"
      title={flag.data ? flagKinds[flag.data.kind] : 'Flag'}
      description={flag.data ? `Found ${formatDateTime(flag.data.foundAt)}` : undefined}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      {flag.isPending ? <Skeleton className="h-40" /> : null}
      {flag.isError ? (
        <ErrorState
          title="This flag could not be loaded"
          onRetry={() => void flag.refetch()}
          retrying={flag.isFetching}
          error={flag.error}
        />
      ) : null}
      {flag.data ? <FlagDetails flag={flag.data} onClose={onClose} /> : null}
    </Dialog>
  )
}

function FlagDetails({ flag, onClose }: { flag: FlagFile; onClose: () => void }) {
  return (
    <div className="grid gap-5">
      <p className="text-14 text-ink">{flag.why}</p>
      <dl className="grid gap-x-6 gap-y-2 text-14 sm:grid-cols-2">
        {flag.about.map(({ label, text, memberId, href }) => (
          <div key={`${label} ${memberId ?? text}`}>
            <dt className="text-13 text-ink-3">{label}</dt>
            <dd className="truncate text-ink">
              {memberId || href ? (
                <TextLink href={memberId ? paths.adminUser(memberId) : (href ?? '')}>{text}</TextLink>
              ) : (
                text
              )}
            </dd>
          </div>
        ))}
      </dl>
      {flag.texts.length > 0 ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {flag.texts.map(({ label, text }) => (
            <section key={label} className="min-w-0">
              <h3 className="mb-1 text-13 font-medium text-ink-2">{label}</h3>
              <p
                className={
                  'rounded-8 border border-line bg-sunken p-3 ' +
                  'text-13 wrap-anywhere whitespace-pre-line text-ink'
                }
              >
                {text}
              </p>
            </section>
          ))}
        </div>
      ) : null}
      {flag.closed ? <Closed closed={flag.closed} /> : <Decision flag={flag} onDone={onClose} />}
    </div>
  )
}

function Closed({ closed: { as, at, by, reason, caseId } }: { closed: NonNullable<FlagFile['closed']> }) {
  return (
    <p className="text-14 text-ink-2">
      {as === 'case' ? 'A case was opened' : 'Dismissed'} by {by}, {formatDateTime(at)}. “{reason}”{' '}
      {caseId ? <TextLink href={paths.adminCase(caseId)}>To the case</TextLink> : null}
    </p>
  )
}

/** The decision about a flag: dismiss it, or open a case, which a person decides by rule. */
function Decision({ flag: { id, caseAbout }, onDone }: { flag: FlagFile; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const { dismiss, openCase } = useClosing(onDone)
  const isTooShort = reason.trim().length < flagReasonLength.min
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooShort) dismiss.mutate({ id, reason })
      }}
    >
      <Field
        label="Your reason"
        help={
          `At least ${flagReasonLength.min} characters. It stays in the record. ` +
          `${consequences[caseAbout ?? 'none']}`
        }
      >
        <Textarea value={reason} onValueChange={setReason} rows={3} maxLength={flagReasonLength.max} />
      </Field>
      <DialogFooter start={isTooShort ? 'Write a reason to close it.' : undefined}>
        <Button onClick={onDone}>Keep it open</Button>
        {caseAbout ? (
          <Button
            disabled={isTooShort || dismiss.isPending}
            busy={openCase.isPending}
            onClick={() => openCase.mutate({ id, reason })}
          >
            Open a case
          </Button>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          disabled={isTooShort || openCase.isPending}
          busy={dismiss.isPending}
        >
          Dismiss flag
        </Button>
      </DialogFooter>
    </form>
  )
}

const consequences = {
  review: 'A case about the review is decided by rule; nothing follows before.',
  listing: 'A case about the listing is decided by rule; nothing follows before.',
  none:
    'There is no one review or listing to open a case about: ' +
    'act on the members’ pages, and say what you did.',
}

function useClosing(onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const onError = (error: Error) => showFailure(error)
  const onSettled = () => client.invalidateQueries({ queryKey: staffApi.flags.key() })
  const dismiss = useMutation(
    staffApi.flags.dismissFlag.mutationOptions({
      onSuccess: () => {
        toast({ title: 'Flag dismissed', tone: 'success' })
        onDone()
      },
      onError,
      onSettled,
    }),
  )
  const openCase = useMutation(
    staffApi.flags.openFlagCase.mutationOptions({
      onSuccess: ({ caseId }) => {
        toast({ title: 'Case opened', tone: 'success' })
        void navigate({ to: paths.adminCase(caseId) })
      },
      onError,
      onSettled,
    }),
  )
  return { dismiss, openCase }
}
