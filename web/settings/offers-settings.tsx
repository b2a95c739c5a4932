import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { brokenReports } from '#contract/matching-rules.ts'
import type { UnusableFormat } from '#contract/matching.ts'
import { categoryNames, formatNames } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDate } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { NotForMe } from './not-for-me.tsx'
import { FailedCard, LoadingCard, SettingsSection } from './settings-section.tsx'

const title = 'Formats you can’t use'

/** /settings/offers: what the member said in declines, and what they can take back. */
export function OffersSettings() {
  const formats = useQuery(api.matching.listUnusableFormats.queryOptions())
  const unwanted = useQuery(api.matching.listUnwantedOffers.queryOptions())
  return (
    <SettingsSection
      title="Offers"
      help="Products we don’t offer you, because you marked them or said so when you declined."
    >
      {formats.data ? (
        <Formats formats={formats.data} />
      ) : formats.isError ? (
        <FailedCard
          title={title}
          what="Your formats could not be loaded"
          onRetry={() => void formats.refetch()}
          retrying={formats.isFetching}
          error={formats.error}
        />
      ) : (
        <LoadingCard title={title} />
      )}
      {unwanted.data ? (
        <NotForMe marks={unwanted.data} />
      ) : unwanted.isError ? (
        <FailedCard
          title="Not for me"
          what="Your marks could not be loaded"
          onRetry={() => void unwanted.refetch()}
          retrying={unwanted.isFetching}
          error={unwanted.error}
        />
      ) : (
        <LoadingCard title="Not for me" />
      )}
      <Card level={3} title="Other reasons">
        <ul className="flex list-disc flex-col gap-2 pl-4 text-14 text-pretty text-ink-2">
          <li>A product that you already own is never offered to you again.</li>
          <li>After a conflict of interest, you two never review each other.</li>
          <li>
            A listing that {brokenReports.members} members report as broken leaves the rotation until its
            seller has checked it.
          </li>
        </ul>
        <p className="mt-4 text-14 text-ink-2">
          Chosen by mistake? <TextLink href={paths.support()}>Contact Support</TextLink>.
        </p>
      </Card>
    </SettingsSection>
  )
}

function Formats({ formats }: { formats: readonly UnusableFormat[] }) {
  const queryClient = useQueryClient()
  const allow = useMutation(
    api.matching.allowFormat.mutationOptions({
      onSuccess: () => toast({ title: 'You can get offers for this format again', tone: 'success' }),
      onError: (error) =>
        toast({
          title: 'Your choice was not saved',
          description: refusalMessage(error, 'Please try again.'),
          tone: 'danger',
        }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: api.matching.listUnusableFormats.key() }),
    }),
  )
  return (
    <Card
      level={3}
      title={title}
      help="You aren’t offered products of these kinds. Undo it when that changes."
      padding="none"
    >
      {formats.length === 0 ? (
        <EmptyState icon={<FileX />} title="None so far">
          When you decline an offer because you can’t use the format, it appears here.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {formats.map((unusable) => (
            <li key={unusable.id} className="flex items-center justify-between gap-4 px-5 py-4">
              <span className="min-w-0">
                <span className="block text-14 font-medium text-ink">{nameOf(unusable)}</span>
                <span className="block text-13 text-ink-2">
                  Since <time dateTime={unusable.createdAt}>{formatDate(unusable.createdAt)}</time>
                </span>
              </span>
              <Button
                aria-label={`Undo ${nameOf(unusable)}`}
                busy={allow.isPending && allow.variables.id === unusable.id}
                onClick={() => allow.mutate({ id: unusable.id })}
              >
                Undo
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function nameOf({ category, format }: UnusableFormat): string {
  return `${categoryNames[category]}: ${format ? formatNames[format] : 'format not stated'}`
}
