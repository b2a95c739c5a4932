import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { privacyRefusals } from '#contract/privacy.ts'
import type { ErasureFacts } from '#contract/privacy.ts'
import { useLeaveBy } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { consequencesOf } from './erasure-messages.tsx'
import { useFresh } from '#web/settings/fresh.tsx'
import { FailedCard, LoadingCard, SettingsSection } from '#web/settings/settings-section.tsx'

/** Shows what deleting the account does, with the member's own figures, and then the form to delete it. */
export function DeleteAccount() {
  const {
    data: facts,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(
    // These figures must be current.
    api.privacy.getErasureFacts.queryOptions({ staleTime: 0 }),
  )
  return (
    <SettingsSection
      title="Delete account"
      help="Nothing is deleted until you press the button at the end of this page."
    >
      {facts ? (
        <>
          <Consequences facts={facts} />
          <EraseForm confirmWith={facts.confirmWith} isUsername={facts.username !== null} />
        </>
      ) : isError ? (
        <FailedCard
          title="What happens when you delete your account"
          what="Your account’s figures could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
          error={error}
        />
      ) : (
        <LoadingCard title="What happens when you delete your account">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-4 w-full" />
          ))}
        </LoadingCard>
      )}
    </SettingsSection>
  )
}

function Consequences({ facts }: { facts: ErasureFacts }) {
  return (
    <Card level={3} title="What happens when you delete your account" padding="none">
      <dl className="divide-y divide-line text-14">
        {consequencesOf(facts).map(({ what, text }) => (
          <div key={what} className="grid gap-x-6 gap-y-0.5 px-5 py-3.5 sm:grid-cols-[11rem_1fr]">
            <dt className="font-medium text-ink">{what}</dt>
            <dd className="text-pretty text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type EraseFormProps = { confirmWith: string; isUsername: boolean }

function EraseForm({ confirmWith, isUsername }: EraseFormProps) {
  const leaveBy = useLeaveBy()
  const { fresh, identityWindow } = useFresh()
  const [isUnderstood, setUnderstood] = useState(false)
  return (
    <Card
      level={3}
      title="Delete your account permanently"
      help={
        <>
          You can’t undo this, and neither can we. Want a copy first?{' '}
          <TextLink href={paths.settings('data')}>Export your data</TextLink>
        </>
      }
      className="border-danger-line!"
    >
      <Form
        label="Delete account"
        schema={z.object({
          username: z
            .string()
            .trim()
            .refine(
              (typed) => typed === confirmWith,
              isUsername
                ? privacyRefusals.NAME_MISMATCH.message
                : 'Type your email address exactly to confirm.',
            ),
        })}
        defaultValues={{ username: '' }}
        onSubmit={async ({ username }) => {
          await fresh(() => leaveBy(() => client.privacy.eraseAccount({ username })))
          toast({ title: 'Your account has been deleted', description: 'Thank you for being a member.' })
        }}
      >
        {({ values }) => (
          <>
            <Field
              name="username"
              label={
                <>
                  Type <span className="font-mono break-all select-all">{confirmWith}</span> to confirm
                </>
              }
            >
              <Input autoComplete="off" autoCapitalize="none" autoCorrect="off" spellCheck={false} />
            </Field>
            <Checkbox
              label="I have read what happens when I delete my account"
              checked={isUnderstood}
              onCheckedChange={setUnderstood}
            />
            <div className="mt-5 flex flex-wrap gap-2">
              <SubmitButton
                variant="danger"
                busyLabel="Deleting..."
                disabledReason={
                  !isUnderstood
                    ? 'Read what happens, then tick the box above.'
                    : values.username.trim() === ''
                      ? `Type ${confirmWith} to confirm.`
                      : null
                }
              >
                Delete my account
              </SubmitButton>
              <LinkButton variant="ghost" href={paths.settings('data')}>
                Keep my account
              </LinkButton>
            </div>
          </>
        )}
      </Form>
      {identityWindow}
    </Card>
  )
}
