import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hours } from '#contract/format.ts'
import { takenBackHours } from '#contract/matching-rules.ts'
import { declarationEndDays, declarationLimits } from '#contract/organization.ts'
import type { Organization } from '#contract/organization.ts'
import { api } from '#web/api.ts'
import { formatNumber } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { DeclarationsCard } from './declarations-card.tsx'
import { HouseholdsCard } from './households-card.tsx'
import { ShopsCard } from './shops-card.tsx'

/** /org: the member's shops, and whom they must never be matched with. */
export function OrganizationScreen() {
  const organization = useQuery(api.organization.getOrganization.queryOptions())
  return (
    <Page>
      <PageHeader
        title="Organization"
        help={
          'Your shop, your people, and who must never be matched with you. ' +
          'It counts from the moment you save it.'
        }
      />
      {organization.data ? (
        <Parts organization={organization.data} />
      ) : organization.isError ? (
        <Card>
          <ErrorState
            title="Your organization could not be loaded"
            onRetry={() => void organization.refetch()}
            retrying={organization.isFetching}
            error={organization.error}
          />
        </Card>
      ) : (
        <Loading label="Loading your organization" className="grid gap-4 lg:grid-cols-2">
          {[0, 1, 2, 3].map((place) => (
            <Skeleton key={place} className="h-44 rounded-12" />
          ))}
        </Loading>
      )}
    </Page>
  )
}

function Parts({ organization }: { organization: Organization }) {
  const { limit, declinedFor } = organization
  return (
    <>
      <HouseholdsCard households={organization.households} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ShopsCard organization={organization} />
        <DeclarationsCard kind="household" organization={organization} />
        <DeclarationsCard kind="conflict" organization={organization}>
          {declinedFor > 0 ? (
            <p className="border-t border-line px-5 py-3 text-13 text-pretty text-ink-2">
              {declinedFor === 1
                ? 'You also stated a conflict with one seller when you declined an offer.'
                : `You also stated a conflict with ${formatNumber(declinedFor)} ` +
                  'sellers when you declined offers.'}{' '}
              That stays private too, and doesn’t count here.
            </p>
          ) : null}
        </DeclarationsCard>
        <DeclarationsCard kind="competitor" organization={organization} />
      </div>
      <Card title="How it works">
        <ul
          className={
            'flex max-w-reading list-disc flex-col gap-2 pl-4 ' +
            'text-14 text-pretty text-ink-2 marker:text-ink-3'
          }
        >
          <Rule>
            Neither of you is ever asked to review the other’s products. Reviews that have begun continue.
          </Rule>
          <Rule>
            When you add an entry, every open offer that you have or that others have for your products ends,
            so that it doesn’t show whom you named. It costs no one a decline. A request of yours that loses
            its offer waits {hours(takenBackHours)} before the next draw.
          </Rule>
          <Rule>
            Conflicts and competitors stay private: the other side isn’t notified and can’t see them. A member
            of your household or team sees that you named them, and confirms it or says that it isn’t so.
          </Rule>
          <Rule>
            Removing an entry takes effect after {declarationEndDays} days. Until then it counts:{' '}
            {`you can have ${limit.most} now, and you’ve used ${limit.used}`}. That’s{' '}
            {formatNumber(declarationLimits.share * 100)}% of the club, at least {declarationLimits.least} and
            at most {declarationLimits.most}, so that no one can choose their reviewer. Your first shop is
            free.
          </Rule>
          <Rule>
            Our staff can see your entries. More about the draw is in the{' '}
            <TextLink href={paths.rules()}>rules</TextLink>.
          </Rule>
        </ul>
      </Card>
    </>
  )
}

function Rule({ children }: { children: ReactNode }) {
  return <li>{children}</li>
}
