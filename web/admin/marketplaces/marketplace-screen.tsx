import { useQuery } from '@tanstack/react-query'
import { DoorOpen, FileCheck, OctagonX, PencilLine } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { disclosureLanguages } from '#contract/staff/marketplaces.ts'
import type {
  DisclosureLanguage,
  EntryVersion,
  MarketplaceEntry,
  RegisterEntry,
} from '#contract/staff/marketplaces.ts'
import { formatDateTime, formatDay, formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { formatTally } from '../list-tools.tsx'
import { EntryMissing, EntrySkeleton } from './entry-states.tsx'
import { LinkTest } from './link-test.tsx'
import { CheckDialog, CloseDialog, ReopenDialog } from './marketplace-dialogs.tsx'
import { actionLabels, checkState, laneLabels } from './marketplace-labels.ts'
import { useMayChange } from './use-may-change.ts'

/** One marketplace: its entry, what hangs on it, its former versions, and what an admin can do. */
export function MarketplaceScreen({ id }: { id: string }) {
  const query = useQuery(staffApi.marketplaces.getRegisterEntry.queryOptions({ input: { id } }))
  if (query.data) return <Found found={query.data} />
  return query.isError ? <EntryMissing query={query} /> : <EntrySkeleton />
}

type FoundProps = { found: RegisterEntry }

function Found({ found }: FoundProps) {
  const { entry, lane, closure, overdueDays } = found
  const { name, host, listingPaths, listingIdForm, couponParameter, couponForms } = entry
  const check = checkState(overdueDays)
  return (
    <Page>
      <PageHeader
        title={entry.name}
        badge={
          <>
            <Badge tone={laneLabels[lane].tone}>{laneLabels[lane].label}</Badge>
            <Badge tone={check.tone}>
              {overdueDays < 0 ? `Check ${check.text.toLowerCase()}` : check.text}
            </Badge>
          </>
        }
        help={laneLabels[lane].help}
        breadcrumb={[{ label: 'Marketplaces', href: paths.adminMarketplaces() }]}
        action={<Actions found={found} />}
      />
      {overdueDays > 0 ? (
        <Alert tone="warning" title={`The policy was to be read again on ${formatDay(entry.nextCheckOn)}`}>
          <TextLink external href={entry.policyUrl}>
            Open the policy
          </TextLink>
          , compare the sentence below, and record the reading.
        </Alert>
      ) : null}
      {closure ? (
        <Alert tone="danger" announce={false} title={`Closed on ${formatDateTime(closure.closedAt)}`}>
          {closure.reason}{' '}
          {closure.reviews === 'finish'
            ? 'Reviews in progress finish as private feedback.'
            : 'Reviews in progress ended without fault.'}
        </Alert>
      ) : null}
      <Figures found={found} />
      <EntryCard entry={entry} />
      <Card title="Links" help="How the product reads a link with this entry.">
        <LinkTest
          id={found.id}
          entry={{ name, host, listingPaths, listingIdForm, couponParameter, couponForms }}
        />
      </Card>
      <Versions versions={found.versions} />
    </Page>
  )
}

function Actions({ found }: FoundProps) {
  const [open, setOpen] = useState<'check' | 'close' | 'reopen' | null>(null)
  const shut = () => setOpen(null)
  if (!useMayChange()) return null
  return (
    <>
      <LinkButton href={paths.adminEditMarketplace(found.id)} icon={<PencilLine />}>
        Change
      </LinkButton>
      <Button icon={<FileCheck />} onClick={() => setOpen('check')}>
        Policy read today
      </Button>
      {found.lane === 'closed' ? (
        <Button variant="primary" icon={<DoorOpen />} onClick={() => setOpen('reopen')}>
          Open again
        </Button>
      ) : (
        <Button variant="danger" icon={<OctagonX />} onClick={() => setOpen('close')}>
          Close
        </Button>
      )}
      {open === 'check' ? <CheckDialog found={found} onClose={shut} /> : null}
      {open === 'close' ? <CloseDialog found={found} onClose={shut} /> : null}
      {open === 'reopen' ? <ReopenDialog found={found} onClose={shut} /> : null}
    </>
  )
}

function Figures({ found }: FoundProps) {
  const { products, sellers, openRequests, openOffers, inProgress, consents, policyVersion } = found
  const figures = [
    ['Products', products],
    ['Sellers', sellers],
    ['Open requests', openRequests],
    ['Open offers', openOffers],
    ['Reviews in progress', inProgress],
    [`Consents to policy ${policyVersion}`, consents],
  ] as const
  return (
    <dl
      className={
        'grid grid-cols-2 gap-px overflow-hidden ' +
        'rounded-12 border border-line bg-line sm:grid-cols-3 lg:grid-cols-6'
      }
    >
      {figures.map(([name, value]) => (
        <div key={name} className="bg-surface px-4 py-3">
          <dt className="text-12 text-ink-3">{name}</dt>
          <dd className="tabular text-18 font-semibold text-ink">{formatTally(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Every part of an entry. */
function EntryCard({ entry }: { entry: MarketplaceEntry }) {
  return (
    <Card title="Entry">
      <Facts entry={entry} />
    </Card>
  )
}

function Facts({ entry }: { entry: MarketplaceEntry }) {
  const code = (lines: readonly string[]) => (
    <span className="font-mono text-13 whitespace-pre-line">{lines.join('\n') || 'None'}</span>
  )
  const facts: [string, ReactNode][] = [
    ['Host', `${entry.host} and its sub-domains`],
    ['Image hosts', code(entry.imageHosts)],
    [
      'Policy',
      <TextLink key="policy" external href={entry.policyUrl} className="wrap-anywhere">
        {entry.policyUrl}
      </TextLink>,
    ],
    ['Sentence relied on', <q key="sentence">{entry.policySentence}</q>],
    ['Read', `${formatDay(entry.readOn)} by ${entry.readBy}`],
    ['Next check', formatDay(entry.nextCheckOn)],
    ['Lane', laneLabels[entry.lane].label],
    ['Coupon prices', entry.couponPrices.map((price) => formatMoney(price)).join(', ')],
    ['Verified purchase is called', entry.verifiedPurchaseWord],
    ['Disclosure in English', entry.disclosure],
    ...Object.entries(entry.disclosures).map(([language, text]): [string, ReactNode] => [
      `Disclosure in ${disclosureLanguages[language as DisclosureLanguage]}`,
      <span key={language} lang={language}>
        {text}
      </span>,
    ]),
    ['Listing paths', code(entry.listingPaths)],
    ['Form of a listing’s id', code([entry.listingIdForm])],
    ['Coupon parameter', code([entry.couponParameter])],
    ['Coupon forms', code(entry.couponForms)],
    ['Order-number pattern', code([entry.orderPattern])],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-3 text-14 sm:grid-cols-[13rem_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents max-sm:block">
          <dt className="text-13 text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The former entries, newest first, each with the change that replaced it. */
function Versions({ versions }: { versions: readonly EntryVersion[] }) {
  return (
    <Card title="Versions" help="Every change keeps the entry before it." padding="none">
      {versions.length === 0 ? (
        <p className="px-5 py-6 text-14 text-ink-2">This entry was never changed.</p>
      ) : (
        <Timeline label="Versions">
          {versions.map(({ version, policyVersion, lane, entry, replacedAt, action, by, reason }) => (
            <TimelineRow
              key={version}
              icon={<PencilLine />}
              title={`${actionLabels[action] ?? action} by ${by}`}
              at={replacedAt}
            >
              {reason ? <p>{reason}</p> : null}
              <details className="mt-2">
                <summary className="cursor-pointer text-13 font-medium text-accent-ink">
                  Version {version} before it: {laneLabels[lane].label.toLowerCase()}, policy {policyVersion}
                </summary>
                <div className="mt-3 rounded-10 border border-line bg-canvas p-4">
                  <Facts entry={entry} />
                </div>
              </details>
            </TimelineRow>
          ))}
        </Timeline>
      )}
    </Card>
  )
}
