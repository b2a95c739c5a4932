import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { privacyRefusals } from '#contract/privacy.ts'
import type { ErasureFacts } from '#contract/privacy.ts'
import { usernameReservedDays } from '#contract/settings.ts'
import { useLeaveBy } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDate, formatNumber } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { useFresh } from './fresh.tsx'
import { FailedCard, LoadingCard, SettingsSection } from './settings-section.tsx'

/** The end of the account: what it ends, with the member's own figures, and then the deed. */
export function DeleteAccount() {
  const {
    data: facts,
    isError,
    isFetching,
    refetch,
  } = useQuery(
    // What is said here must be true now.
    api.privacy.getErasureFacts.queryOptions({ staleTime: 0 }),
  )
  return (
    <SettingsSection
      title="Delete account"
      help="Read what ends with it. Nothing happens before you press the button at the end of this page."
    >
      {facts ? (
        <>
          <Consequences facts={facts} />
          <EraseForm confirmWith={facts.confirmWith} isUsername={facts.username !== null} />
        </>
      ) : isError ? (
        <FailedCard
          title="What ends with your account"
          what="What would end could not be counted"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <LoadingCard title="What ends with your account">
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
    <Card level={3} title="What ends with your account" padding="none">
      <dl className="divide-y divide-line text-14">
        {consequencesOf(facts).map(({ what, words }) => (
          <div key={what} className="grid gap-x-6 gap-y-0.5 px-5 py-3.5 sm:grid-cols-[11rem_1fr]">
            <dt className="font-medium text-ink">{what}</dt>
            <dd className="text-pretty text-ink-2">{words}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function consequencesOf(facts: ErasureFacts): { what: string; words: ReactNode }[] {
  const { openOffers, reviewsBeingWritten, openRequests, reviewsOfMineBeingWritten, reviewsWaiting } = facts
  const { products, reviewsGiven, reviewsReceived, balance, membershipActive, membershipPaidUntil } = facts
  return [
    {
      what: 'Offers to you',
      words:
        openOffers === 0
          ? 'None is open.'
          : `${count(openOffers, 'open offer is', 'open offers are')} withdrawn and made to somebody else.`,
    },
    {
      what: 'Reviews you owe',
      words:
        reviewsBeingWritten === 0
          ? 'You owe none.'
          : `${count(reviewsBeingWritten, 'review ends', 'reviews end')} without being handed in. The sellers’ requests keep their place.`,
    },
    {
      what: 'Your requests',
      words:
        openRequests === 0
          ? 'None is open.'
          : `${count(openRequests, 'request that nobody has accepted is', 'requests that nobody has accepted are')} cancelled.`,
    },
    {
      what: 'Reviews being written for you',
      words:
        reviewsOfMineBeingWritten === 0
          ? 'None is under way.'
          : `${count(reviewsOfMineBeingWritten, 'review ends', 'reviews end')}, without harm to whoever is writing.`,
    },
    ...(reviewsWaiting === 0
      ? []
      : [
          {
            what: 'Reviews that wait',
            words: `${count(reviewsWaiting, 'review that was handed in becomes', 'reviews that were handed in become')} final at once, so that whoever wrote keeps the credit.`,
          },
        ]),
    {
      what: 'Finished reviews',
      words: `${count(reviewsGiven, 'review', 'reviews')} given and ${formatNumber(reviewsReceived)} received stay in the club’s history, without your name. What you posted on a marketplace stays there; only you can remove it.`,
    },
    {
      what: 'Your ledger',
      words: `Your balance of ${balance > 0 ? '+' : balance < 0 ? '−' : ''}${formatNumber(Math.abs(balance))} lapses. Its entries stay without your name, so that everybody else’s sums remain right.`,
    },
    {
      what: 'Your products',
      words:
        products === 0
          ? 'You have none.'
          : `${count(products, 'product', 'products')} and their pictures are deleted.`,
    },
    {
      what: 'Your membership',
      words: membershipActive ? (
        <>
          It ends at once
          {membershipPaidUntil ? (
            <>
              , although it is paid until{' '}
              <time dateTime={membershipPaidUntil}>{formatDate(membershipPaidUntil)}</time>
            </>
          ) : null}
          . Nothing more is charged.
        </>
      ) : (
        'You have none that is active.'
      ),
    },
    {
      what: 'Your username',
      words: facts.username
        ? `Nobody can take @${facts.username} for ${usernameReservedDays} days, so that nobody passes for you.`
        : 'You have not chosen one.',
    },
    {
      what: 'You',
      words:
        'Your address, names, picture, ways to sign in, notifications and messages are deleted. You are signed out everywhere.',
    },
  ]
}

function count(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}

type EraseFormProps = { confirmWith: string; isUsername: boolean }

function EraseForm({ confirmWith, isUsername }: EraseFormProps) {
  const leaveBy = useLeaveBy()
  const { fresh, identityWindow } = useFresh()
  const [isUnderstood, setUnderstood] = useState(false)
  return (
    <Card
      level={3}
      title="Delete it for good"
      help={
        <>
          This cannot be undone, by us neither. Do you want a copy first?{' '}
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
              isUsername ? privacyRefusals.NAME_MISMATCH.message : 'Type your address exactly to confirm.',
            ),
        })}
        defaultValues={{ username: '' }}
        onSubmit={async ({ username }) => {
          await fresh(() => leaveBy(() => client.privacy.eraseAccount({ username })))
          toast({ title: 'Your account has been deleted', description: 'Thank you for having been here.' })
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
              label="I have read what ends with my account"
              checked={isUnderstood}
              onCheckedChange={setUnderstood}
            />
            <div className="mt-5 flex flex-wrap gap-2">
              <SubmitButton
                variant="danger"
                busyLabel="Deleting..."
                disabledReason={
                  !isUnderstood
                    ? 'Read what ends, and say so above.'
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
