import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Clock } from 'lucide-react'
import { useRef } from 'react'
import { z } from 'zod'
import type { Me, Profile } from '#contract/members.ts'
import { DemoMailboxLink } from '#web/accounts/demo-mailbox.tsx'
import { emailAddress } from '#web/accounts/email-address.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { showFailure, useFresh } from './fresh.tsx'

type EmailChange = NonNullable<Profile['emailChange']>

/** The account's email address. A change must be confirmed from both mailboxes. */
export function EmailSettings({ me, change }: { me: Me; change: Profile['emailChange'] }) {
  const place = useRef<HTMLFieldSetElement>(null)
  // The pressed button is removed from the page, so the focus moves to the group.
  const keepFocus = () => place.current?.focus()
  return (
    <Card
      level={3}
      title="Email"
      help="To change it, confirm from both mailboxes: the current one and the new one."
    >
      <fieldset ref={place} tabIndex={-1} aria-label="Your address" className="min-w-0 outline-none">
        <p className="mb-4 text-14 font-medium wrap-anywhere text-ink">{me.email}</p>
        {change ? (
          <PendingChange me={me} change={change} onCancelled={keepFocus} />
        ) : (
          <EmailForm me={me} onRequested={keepFocus} />
        )}
      </fieldset>
    </Card>
  )
}

const input = z.object({ email: emailAddress })

function EmailForm({ me, onRequested }: { me: Me; onRequested: () => void }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  return (
    <>
      <Form
        key={me.email}
        label="Change email"
        schema={input}
        defaultValues={{ email: '' }}
        onSubmit={async ({ email }) => {
          await fresh(() => client.accounts.requestEmailChange({ email }))
          await queryClient.invalidateQueries({ queryKey: api.members.getProfile.key() })
          onRequested()
          toast({
            title: 'Confirm the change in both mailboxes',
            description: 'We’ve sent a link to each address.',
            tone: 'success',
          })
        }}
      >
        {({ values }) => (
          <>
            <Field name="email" label="New email">
              <Input type="email" autoComplete="email" inputMode="email" maxLength={254} />
            </Field>
            <SubmitButton
              variant="secondary"
              className="mt-1 self-start"
              busyLabel="Sending..."
              disabled={values.email.trim() === ''}
            >
              Change email
            </SubmitButton>
          </>
        )}
      </Form>
      {identityWindow}
    </>
  )
}

type PendingChangeProps = { me: Me; change: EmailChange; onCancelled: () => void }

/** A change that is not yet confirmed from both mailboxes. */
function PendingChange({ me, change, onCancelled }: PendingChangeProps) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const refetch = () => queryClient.invalidateQueries({ queryKey: api.members.getProfile.key() })
  const again = useMutation({
    mutationFn: () => fresh(() => client.accounts.requestEmailChange({ email: change.email })),
    onSuccess: async () => {
      await refetch()
      toast({
        title: 'We’ve sent you new links',
        description: 'The earlier links no longer work.',
        tone: 'success',
      })
    },
    onError: (error) => showFailure(error),
  })
  const cancel = useMutation({
    mutationFn: () => client.accounts.cancelEmailChange(),
    onSuccess: async () => {
      await refetch()
      onCancelled()
      toast({
        title: 'Email change canceled',
        description: `Your email address is still ${me.email}.`,
        tone: 'success',
      })
    },
    onError: (error) => showFailure(error),
  })
  return (
    <div className="rounded-10 border border-line bg-canvas p-4">
      <p className="text-14 text-ink">
        Changing to <span className="font-medium wrap-anywhere">{change.email}</span>
      </p>
      <ul className="mt-3 flex flex-col gap-2">
        <Mailbox address={me.email} isConfirmed={change.oldConfirmed} />
        <Mailbox address={change.email} isConfirmed={change.newConfirmed} />
      </ul>
      <p className="mt-3 text-13 text-pretty text-ink-2">
        Open the link in each mailbox. The links work until{' '}
        <time dateTime={change.expiresAt}>{formatDateTime(change.expiresAt)}</time>. Nothing changes until
        both are confirmed.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          busy={again.isPending}
          busyLabel="Sending..."
          disabled={cancel.isPending}
          onClick={() => again.mutate()}
        >
          Send new links
        </Button>
        <Button
          size="sm"
          variant="ghost"
          busy={cancel.isPending}
          busyLabel="Canceling..."
          disabled={again.isPending}
          onClick={() => cancel.mutate()}
        >
          Cancel the change
        </Button>
        {me.demo ? <DemoMailboxLink size="sm" variant="ghost" /> : null}
      </div>
      {identityWindow}
    </div>
  )
}

function Mailbox({ address, isConfirmed }: { address: string; isConfirmed: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-13">
      <span className="min-w-0 wrap-anywhere text-ink-2">{address}</span>
      {isConfirmed ? (
        <Badge tone="success" icon={<CircleCheck />}>
          Confirmed
        </Badge>
      ) : (
        <Badge tone="warning" icon={<Clock />}>
          Waiting
        </Badge>
      )}
    </li>
  )
}
