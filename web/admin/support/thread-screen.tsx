import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Thread } from '#contract/staff/support-desk.ts'
import { supportCategories } from '#contract/support.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { staffApi, staffClient } from '../api.ts'
import { Shortcuts } from '../shortcuts.tsx'
import { AnswerForm } from './answer-form.tsx'
import { Conversation } from './conversation.tsx'
import { readKeptVersion } from './kept-answer.ts'
import { useOwnChanges } from './own-changes.ts'
import { WriterCard } from './writer-card.tsx'

/** /admin/support/:id: a message with all answers, the writer beside it, and what staff can do. */
export function ThreadScreen({ id }: { id: string }) {
  const thread = useQuery({
    ...staffApi.supportDesk.getThread.queryOptions({ input: { id } }),
    // A colleague may answer at the same time.
    refetchInterval: 10_000,
  })
  if (thread.data) return <OpenThread thread={thread.data} />
  if (thread.isPending) {
    return (
      <Page>
        <h1 className="sr-only">Loading the message</h1>
        <Loading label="Loading the message" className="flex flex-col gap-6">
          <Skeleton className="h-7 w-72" />
          <Skeleton className="h-96 rounded-12" />
        </Loading>
      </Page>
    )
  }
  const { title, text, isFinal = false } = whyNot(thread.error)
  return (
    <Page>
      <ErrorState
        level={1}
        title={title}
        onRetry={isFinal ? undefined : () => void thread.refetch()}
        retrying={thread.isFetching}
        error={thread.error}
      >
        {text}
      </ErrorState>
    </Page>
  )
}

function whyNot(error: unknown): { title: string; text?: string; isFinal?: boolean } {
  const code = refusalCode(error)
  if (code === 'NOT_FOUND')
    return {
      title: 'This message doesn’t exist',
      text: 'Its writer may have deleted their account.',
      isFinal: true,
    }
  if (code === 'OWN_MATTER')
    return {
      title: 'This is your own message',
      text: 'Another member of staff has to answer it.',
      isFinal: true,
    }
  return { title: 'The message could not be loaded' }
}

function OpenThread({ thread }: { thread: Thread }) {
  const { id, version, status, assignedTo } = thread
  const { data: me } = useQuery(meOptions())
  const navigate = useNavigate()
  const answer = useRef<HTMLTextAreaElement>(null)
  const [seenVersion, setSeenVersion] = useState(() => readKeptVersion(id) ?? version)
  const own = useOwnChanges()
  const change = useChange(thread, (from, to) => {
    own.record(from, to)
    setSeenVersion((seen) => (to === seen + 1 ? to : seen))
  })
  const isOpen = status === 'open'
  const toggle = () => {
    const said = isOpen ? 'Message marked as resolved' : 'Message opened again'
    // A second press of the key, before the thread was loaded again, means the same.
    if (change.isPending && change.variables.said === said) return
    const { resolveMessage, reopenMessage } = staffClient.supportDesk
    change.mutate({
      seen: () => own.after(version),
      call: (seen) => (isOpen ? resolveMessage : reopenMessage)({ id, version: seen }),
      said,
    })
  }
  const assign = (to: string | null) =>
    change.mutate({
      seen: () => own.after(version),
      call: (seen) => staffClient.supportDesk.assignMessage({ id, version: seen, to }),
      said:
        to === null ? 'Message assigned to no one' : to === me?.id ? 'Assigned to you' : 'Message assigned',
    })
  return (
    <Page>
      <PageHeader
        title={thread.subject}
        badge={<StatusBadge status={status} />}
        help={`${supportCategories[thread.category]} · Reference ${thread.reference}`}
        breadcrumb={[{ label: 'Support', href: paths.adminSupport() }]}
        action={
          <>
            <Shortcuts
              keys={[
                { key: 'r', does: 'Write an answer', run: () => answer.current?.focus() },
                { key: 'e', does: isOpen ? 'Resolve' : 'Reopen', run: toggle },
                { key: 'a', does: 'Assign to me', run: () => me && assign(me.id) },
                {
                  key: 'u',
                  does: 'Back to the list',
                  run: () => void navigate({ href: paths.adminSupport() }),
                },
                { key: 'Ctrl+Enter', does: 'Send the answer' },
                { key: 'Esc', does: 'Leave the text' },
              ]}
            />
            <Button busy={change.isPending} onClick={toggle}>
              {isOpen ? 'Resolve' : 'Reopen'}
            </Button>
          </>
        }
      />
      {assignedTo && me && assignedTo.id !== me.id && isOpen ? (
        <Alert announce={false} title={`Assigned to ${assignedTo.name}`}>
          Ask them before you answer, or assign it to yourself.
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Conversation thread={thread} />
          <AnswerForm
            thread={thread}
            answer={answer}
            seenVersion={seenVersion}
            own={own}
            onSeen={() => setSeenVersion(version)}
          />
        </div>
        <div className="flex flex-col gap-6">
          <Assignment thread={thread} myId={me?.id} busy={change.isPending} onAssign={assign} />
          <WriterCard thread={thread} />
        </div>
      </div>
    </Page>
  )
}

type AssignmentProps = {
  thread: Thread
  myId: string | undefined
  busy: boolean
  onAssign: (to: string | null) => void
}

function Assignment({
  thread: { assignedTo, colleagues },
  myId,
  busy,
  onAssign,
}: AssignmentProps): ReactNode {
  const options = [
    { value: 'no-one', label: 'No one' },
    ...colleagues.map(({ id, name }) => ({ value: id, label: id === myId ? `${name} (you)` : name })),
  ]
  return (
    <div className="flex flex-col gap-2">
      <p className="text-13 font-medium text-ink">Assigned to</p>
      <Select
        label="Assigned to"
        options={options}
        disabled={busy}
        value={assignedTo?.id ?? 'no-one'}
        onValueChange={(next) => next !== null && onAssign(next === 'no-one' ? null : next)}
      />
    </div>
  )
}

type Change = {
  /** The version that the reader has seen, with their own changes since the press. */
  seen: () => number
  call: (seen: number) => Promise<{ version: number }>
  said: string
}

/** `onChanged` gets both versions: what the reader does themselves is no news to them. */
function useChange({ id }: Thread, onChanged: (from: number, to: number) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: { id },
    mutationFn: async ({ seen, call }: Change) => {
      const from = seen()
      return { from, ...(await call(from)) }
    },
    onSuccess: (changed, { said }) => {
      onChanged(changed.from, changed.version)
      queryClient.setQueryData(
        staffApi.supportDesk.getThread.queryKey({ input: { id } }),
        (was) => was && { ...was, version: changed.version },
      )
      toast({ title: said, tone: 'success' })
    },
    onError: (error) =>
      toast({
        title: 'Failed to update message',
        description: refusalMessage(error, 'Nothing was changed. Try again in a minute.'),
        tone: 'danger',
      }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.getThread.key({ input: { id } }) }),
        queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.listMessages.key() }),
      ]),
  })
}
