import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { prose } from '#contract/kit.ts'
import { supportRefusals } from '#contract/support.ts'
import type { MyThread } from '#contract/support.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { useRepeatableCall } from '#web/kit/repeatable-call.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'

/** /support/:id: one of the member's messages with the answers of our staff, and a form to write back. */
export function MessageScreen({ id }: { id: string }) {
  const message = useQuery(api.support.getMyMessage.queryOptions({ input: { id } }))
  if (message.data) return <Message message={message.data} />
  if (message.isPending) {
    return (
      <Page width="narrow">
        <h1 className="sr-only">Loading your message</h1>
        <Loading label="Loading your message" className="flex flex-col gap-6">
          <Skeleton className="h-7 w-64" />
          <Skeleton className="h-72 rounded-12" />
        </Loading>
      </Page>
    )
  }
  const isGone = refusalCode(message.error) === 'NOT_FOUND'
  return (
    <Page width="narrow">
      <ErrorState
        level={1}
        title={isGone ? 'This message doesn’t exist' : 'Your message could not be loaded'}
        onRetry={isGone ? undefined : () => void message.refetch()}
        retrying={message.isFetching}
        error={message.error}
        action={<LinkButton href={paths.support()}>All messages</LinkButton>}
      >
        {isGone ? 'It isn’t yours, or it was deleted.' : undefined}
      </ErrorState>
    </Page>
  )
}

function Message({ message }: { message: MyThread }) {
  const { subject, status, reference, createdAt, entries } = message
  return (
    <Page width="narrow">
      <PageHeader
        title={subject}
        badge={<StatusBadge status={status} />}
        help={`Reference ${reference}`}
        breadcrumb={[{ label: 'Support', href: paths.support() }]}
      />
      <Card padding="none" aria-label="Conversation">
        <ol className="divide-y divide-line">
          <Part author="You" at={createdAt} text={message.message} />
          {entries.map((entry) => (
            <Part
              key={entry.id}
              author={entry.mine ? 'You' : 'Evenhand staff'}
              at={entry.createdAt}
              text={entry.body}
            />
          ))}
        </ol>
      </Card>
      <Card title="Write back">
        <ReplyForm message={message} />
      </Card>
    </Page>
  )
}

function Part({ author, at, text }: { author: string; at: string; text: string }) {
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-13">
        <span className="font-medium text-ink">{author}</span>
        <time dateTime={at} className="text-12 text-ink-2">
          {formatDateTime(at)}
        </time>
      </div>
      <p className="mt-2 text-14 wrap-anywhere whitespace-pre-wrap text-ink">{text}</p>
    </li>
  )
}

const reply = z.object({
  message: prose(5000).refine((text) => text !== '', supportRefusals.FIELDS_MISSING.message),
})

function ReplyForm({ message: { id, status } }: { message: MyThread }) {
  const queryClient = useQueryClient()
  const send = useRepeatableCall()
  return (
    <Form
      label="Write back"
      schema={reply}
      defaultValues={{ message: '' }}
      onSubmit={async ({ message }, form) => {
        const answer = { id, message }
        await send(answer, (context) => client.support.replyToAnswer(answer, { context }))
        form.reset({ message: '' })
        toast({ title: 'Your message was sent', tone: 'success' })
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: api.support.getMyMessage.key({ input: { id } }) }),
          queryClient.invalidateQueries({ queryKey: api.support.listMyMessages.key() }),
        ])
      }}
    >
      <Field
        name="message"
        label="Message"
        help={
          status === 'resolved'
            ? 'This opens the conversation again.'
            : 'Our staff answers here and by email.'
        }
      >
        <Textarea rows={5} maxLength={5000} />
      </Field>
      <SubmitButton className="self-start" busyLabel="Sending...">
        Send message
      </SubmitButton>
    </Form>
  )
}
