import { useQuery } from '@tanstack/react-query'
import { UserRoundX } from 'lucide-react'
import { api } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { formatMonth, formatNumber } from '#web/kit/time.ts'
import { Avatar } from '#web/kit/ui/avatar.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { meOptions } from './me.ts'

/** What other members see of a member: name, picture, month of joining and counts, but no way of contact. */
export function MemberScreen({ username }: { username: string }) {
  const {
    data: member,
    error,
    isFetching,
    refetch,
  } = useQuery(api.members.getMember.queryOptions({ input: { username } }))
  const { data: me } = useQuery(meOptions())
  const isMe = member !== undefined && me?.username === member.username
  if (error && !member) {
    return (
      <Page width="reading">
        {refusalCode(error) === 'NOT_FOUND' ? (
          <UnknownMember username={username} />
        ) : (
          <ErrorState
            level={1}
            title="This member could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
            error={error}
          />
        )}
      </Page>
    )
  }
  return (
    <Page width="reading">
      <div className="flex flex-wrap items-center gap-5">
        <Avatar size="xl" name={username} src={member?.avatar && paths.avatar(member.avatar, 256)} />
        <div className="min-w-0 flex-1 basis-48">
          {/* The name comes from the address, so the heading can take the focus before the rest loads. */}
          <h1 id="page-title" tabIndex={-1} className="text-22 font-semibold break-all text-ink">
            {member?.username ?? username}
          </h1>
          {member ? (
            <p className="mt-0.5 text-14 text-ink-2">
              Member since <time dateTime={member.memberSince}>{formatMonth(member.memberSince)}</time>
            </p>
          ) : (
            <Skeleton className="mt-1.5 h-4 w-44" />
          )}
        </div>
        {isMe ? <LinkButton href={paths.settings()}>Edit profile</LinkButton> : null}
      </div>
      {member ? (
        <Card padding="none">
          <dl className="grid grid-cols-3 divide-x divide-line">
            <Figure name="review given" names="reviews given" value={member.reviewsGiven} />
            <Figure name="review received" names="reviews received" value={member.reviewsReceived} />
            <Figure name="live product" names="live products" value={member.liveProducts} />
          </dl>
        </Card>
      ) : (
        <Loading label="Loading member">
          <Skeleton className="h-22 w-full rounded-12" />
        </Loading>
      )}
      <p className="text-13 text-pretty text-ink-3">
        Counts stop at the end of last month, so no one can work out who reviewed whom. The rotation decides
        who reviews whom. Members don't choose each other, so you can't send messages here.
      </p>
    </Page>
  )
}

function Figure({ name, names, value }: { name: string; names: string; value: number }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-0.5 px-3 py-4 sm:px-5">
      <dt className="text-13 text-pretty text-ink-2">{value === 1 ? name : names}</dt>
      <dd className="tabular text-22 font-semibold text-ink">{formatNumber(value)}</dd>
    </div>
  )
}

function UnknownMember({ username }: { username: string }) {
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <span
        aria-hidden="true"
        className={
          'mb-4 flex size-11 items-center justify-center ' +
          'rounded-12 border border-line bg-surface text-ink-2 shadow-press'
        }
      >
        <UserRoundX size={20} />
      </span>
      <h1 id="page-title" tabIndex={-1} className="text-18 font-semibold break-all text-ink">
        There's no member called “{username}”
      </h1>
      <p className="mt-1 max-w-[44ch] text-14 text-balance text-ink-2">
        The username may have changed, or the account was deleted.
      </p>
      <LinkButton href={paths.dashboard()} className="mt-5">
        Go to Dashboard
      </LinkButton>
    </div>
  )
}
