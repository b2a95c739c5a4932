import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { usernameChangeDays, usernameReservedDays } from '#contract/members.ts'
import type { Me, Profile } from '#contract/members.ts'
import { recheckSession } from '#web/accounts/session.ts'
import { useUsernameCheck } from '#web/accounts/username-check.ts'
import { UsernameField } from '#web/accounts/username-field.tsx'
import { usernameProblemOf, usernameProblems } from '#web/accounts/username-refusal.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import type { FormHandle } from '#web/kit/form.tsx'
import { formatDate, formatDateTime, serverNow } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Link } from '#web/kit/ui/link.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { useFresh } from './fresh.tsx'

const choice = z.object({ username: z.string() })

/**
 * Changes the username, and says beforehand how often that is possible and what happens to the former one.
 */
export function UsernameForm({ me, profile }: { me: Me; profile: Profile }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const { usernameChangeAt, reservedUsernames } = profile
  const isTooSoon = usernameChangeAt !== null && Date.parse(usernameChangeAt) > serverNow()
  return (
    <Card
      level={3}
      title="Username"
      help={
        `You can change it once every ${usernameChangeDays} days. ` +
        `We reserve your old username for you for ${usernameReservedDays} days.`
      }
    >
      {me.username === null ? null : (
        <p className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-14">
          <span className="min-w-0 font-medium break-all text-ink">@{me.username}</span>
          <Link
            href={paths.member(me.username)}
            className={
              'rounded-4 text-13 text-accent-ink underline decoration-accent-line underline-offset-3 ' +
              'hover:decoration-current'
            }
          >
            See your profile as members do
          </Link>
        </p>
      )}
      <Form
        // The form starts over once the username was changed or may be changed again.
        key={`${me.username} ${usernameChangeAt}`}
        label="Change username"
        schema={choice}
        defaultValues={{ username: '' }}
        onSubmit={async ({ username }) => {
          await fresh(() => client.members.changeUsername({ username }))
          recheckSession(queryClient)
          await queryClient.invalidateQueries({ queryKey: api.members.getProfile.key() })
          toast({ title: 'Username changed', description: `You are now ${username}.`, tone: 'success' })
        }}
        explain={(error) => {
          const problem = usernameProblemOf(error)
          return problem && { fields: { username: usernameProblems[problem] } }
        }}
      >
        {(form) => <Fields form={form} own={me.username} changeAt={isTooSoon ? usernameChangeAt : null} />}
      </Form>
      {reservedUsernames.length > 0 ? (
        <ul className="mt-4 border-t border-line pt-3 text-13 text-ink-2">
          {reservedUsernames.map(({ username, until }) => (
            <li key={username}>
              <span className="font-medium break-all text-ink">@{username}</span>
              {' is reserved for you until '}
              <time dateTime={until}>{formatDate(until)}</time>.
            </li>
          ))}
        </ul>
      ) : null}
      {identityWindow}
    </Card>
  )
}

type FieldsProps = { form: FormHandle<typeof choice>; own: string | null; changeAt: string | null }

function Fields({ form, own, changeAt }: FieldsProps) {
  const { state, checkAgain } = useUsernameCheck(form.values.username, own)
  if (changeAt !== null) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-13 text-ink-2">
          You can change it again on{' '}
          <time dateTime={changeAt} className="font-medium text-ink">
            {formatDateTime(changeAt)}
          </time>
          .
        </p>
        <SubmitButton
          variant="secondary"
          disabledReason={`You can change it again on ${formatDateTime(changeAt)}.`}
        >
          Change username
        </SubmitButton>
      </div>
    )
  }
  return (
    <>
      <UsernameField
        label="New username"
        state={state}
        unknownMessage="Could not check availability"
        checkAgain={checkAgain}
      />
      <SubmitButton
        variant="secondary"
        className="mt-1 self-start"
        busyLabel="Changing…"
        disabled={state !== 'valid' && state !== 'unknown'}
      >
        Change username
      </SubmitButton>
    </>
  )
}
