import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ReactNode } from 'react'
import { readRule } from '#contract/moderation.ts'
import { count, days } from '#contract/format.ts'
import { strikes } from '#contract/matching-rules.ts'
import type { CaseFile } from '#contract/staff/moderation.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Kbd } from '#web/kit/ui/kbd.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { StatementParts } from '#web/moderation/statement-card.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { AppealCard } from './appeal-card.tsx'
import { CaseClock } from './case-clock.tsx'
import { caseStates } from './case-labels.ts'
import { DecisionForm } from './decision-form.tsx'
import { useCaseUpdates } from './live.ts'

/** /admin/moderation/:id: a case with its evidence, and the form that decides it. */
export function CaseScreen({ id }: { id: string }) {
  useCaseUpdates()
  const query = useQuery(staffApi.cases.getCase.queryOptions({ input: { id } }))
  useServerClock(query)
  if (query.data) return <Shown file={query.data} />
  if (query.isError) {
    return (
      <Page>
        <ErrorState
          level={1}
          title="This case could not be shown"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          // Its text has the number.
          error={null}
        >
          {refusalMessage(query.error, 'The connection failed. Nothing was changed.')}
        </ErrorState>
      </Page>
    )
  }
  return (
    <Page>
      <h1 className="sr-only">Loading the case</h1>
      <Loading label="Loading the case" className="flex flex-col gap-6">
        <Skeleton className="h-7 w-60" />
        <Skeleton className="h-96 rounded-12" />
      </Loading>
    </Page>
  )
}

function Shown({ file }: { file: CaseFile }) {
  const form = useRef<HTMLDivElement>(null)
  const { state, dueAt, subject, decisions, appeals } = file
  const waits = state === 'open' || state === 'second_look'
  const take = useTake(file)
  useCaseKeys({
    t: take.run,
    d: () => form.current?.querySelector<HTMLElement>('[role=radio]')?.focus(),
  })
  return (
    <Page>
      <PageHeader
        title={`${subject === 'review' ? 'Review of' : 'Listing of'} ${file.productTitle}`}
        badge={
          isAppealed(file) ? (
            <Badge tone="warning" dot>
              Appeal
            </Badge>
          ) : (
            <Badge tone={caseStates[state].tone} dot>
              {caseStates[state].label}
            </Badge>
          )
        }
        help={
          <span className="pointer-coarse:hidden">
            <Kbd>t</Kbd> {file.takenBy === 'me' ? 'gives it back' : 'takes it'}, <Kbd>d</Kbd> goes to the
            decision.
          </span>
        }
        breadcrumb={[{ label: 'Moderation', href: paths.adminCases() }]}
        action={
          take.label === null ? undefined : (
            <Button onClick={take.run} busy={take.busy}>
              {take.label}
            </Button>
          )
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Reports file={file} />
          {file.review ? <Texts review={file.review} /> : <Listing file={file} />}
          {file.stoodBy ? (
            <Card title="The reviewer stands by it" help={formatDateTime(file.stoodBy.at)}>
              <p className="text-14 wrap-anywhere whitespace-pre-line text-ink">
                {file.stoodBy.explanation ?? 'Their words were deleted with their account.'}
              </p>
            </Card>
          ) : null}
          {decisions.map((decision) => (
            <Card
              key={decision.id}
              title={decision.n === 1 ? 'The decision' : `Decision ${decision.n}`}
              help={
                formatDateTime(decision.at) +
                (decision.byMe ? ', by you' : '') +
                (decision.overturnedAt ? ', reversed by an appeal' : '') +
                (decision.unfounded ? ', without basis' : '')
              }
            >
              <StatementParts statement={decision.statement} />
            </Card>
          ))}
          {appeals.map((appeal) => (
            <AppealCard key={appeal.id} appeal={appeal} />
          ))}
          {waits ? <Decide file={file} form={form} /> : null}
        </div>
        <aside aria-label="About the case" className="flex min-w-0 flex-col gap-6">
          {dueAt ? (
            <Card title="Decide within">
              <CaseClock dueAt={dueAt} />
            </Card>
          ) : null}
          <Record file={file} />
        </aside>
      </div>
    </Page>
  )
}

function Decide({ file, form }: { file: CaseFile; form: React.RefObject<HTMLDivElement | null> }) {
  if (!file.mayDecide) {
    return <Alert>You decided this case before. A second look is up to another member of staff.</Alert>
  }
  if (file.takenBy === 'other') {
    return <Alert>A colleague is working on this case. Take it over to decide it.</Alert>
  }
  return <DecisionForm key={file.state} file={file} ref={form} />
}

/** Whether an appeal waits for its decision. */
function isAppealed({ appeals }: Pick<CaseFile, 'appeals'>): boolean {
  return appeals.some(({ decidedAt }) => decidedAt === null)
}

/** Takes the case, takes it over, or gives it back. No label once nothing waits for the reader. */
function useTake({ id, state, takenBy, assignedTo, appeals, mayDecide }: CaseFile) {
  const queries = useQueryClient()
  const settle = {
    onSuccess: () => queries.invalidateQueries({ queryKey: staffApi.cases.key() }),
    onError: (error: Error) =>
      toast({ title: refusalMessage(error, 'That did not work. Nothing was changed.'), tone: 'danger' }),
  }
  const take = useMutation(staffApi.cases.takeCase.mutationOptions(settle))
  const release = useMutation(staffApi.cases.releaseCase.mutationOptions(settle))
  const isOpen = state === 'open' || state === 'second_look' || isAppealed({ appeals })
  const mayTake = mayDecide || appeals.some((appeal) => appeal.mayDecide)
  const waits = isOpen && (takenBy === 'me' || mayTake)
  const labels = { me: 'Give it back', other: 'Take it over', none: 'Take this case' }
  return {
    label: waits ? labels[takenBy ?? 'none'] : null,
    busy: take.isPending || release.isPending,
    run() {
      if (!waits || take.isPending || release.isPending) return
      if (takenBy === 'me') release.mutate({ id })
      else take.mutate({ id, from: assignedTo })
    },
  }
}

const typing = 'input, textarea, select, [contenteditable], [role=combobox]'

/** The keys of the page. They do nothing while a text is typed. */
function useCaseKeys(keys: Record<string, () => void>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey) return
    if (target instanceof Element && target.closest(typing)) return
    const act = keys[key]
    if (!act) return
    event.preventDefault()
    act()
  })
  // The keys work wherever the focus is on the page, so they are listened to on the document.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function Reports({ file: { reports, subject, flagged } }: { file: CaseFile }) {
  return (
    <Card title={reports.length === 1 ? 'The report' : 'Reports'}>
      <ul className="flex flex-col gap-4 text-14">
        {flagged ? <li className="text-ink-2">An automatic check pointed it out.</li> : null}
        {reports.map((report) => (
          <li key={`${report.at}${report.reason}`}>
            <p className="font-medium text-ink">
              {readRule(subject, report.reason).reason}
              {report.withdrawn ? ' (withdrawn)' : null}
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line text-ink-2">
              {report.explanation ?? 'The words of a former member were deleted.'}
            </p>
            <p className="mt-1 text-13 text-ink-3">
              {formatDateTime(report.at)}
              {report.version === null ? null : `, about version ${report.version}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Texts({ review }: { review: NonNullable<CaseFile['review']> }) {
  const [last, ...earlier] = review.versions.toReversed()
  return (
    <Card title="The text" help={last ? `Version ${last.version}, ${formatDateTime(last.at)}` : undefined}>
      {last ? <Version version={last} /> : <p className="text-14 text-ink-2">The text was deleted.</p>}
      {review.lane === 'public' ? (
        <p className="mt-4 text-13 text-ink-3">
          The disclosure it has to begin with: <q className="italic">{review.disclosure}</q>
        </p>
      ) : null}
      {review.postedLink ? (
        <p className="mt-2 text-14">
          <TextLink href={review.postedLink} external>
            Open the published review
          </TextLink>{' '}
          <span className="text-13 text-ink-3">The marketplace shows the stars beside it.</span>
        </p>
      ) : null}
      {earlier.map((version) => (
        <details key={version.version} className="mt-4 border-t border-line pt-3">
          <summary className="cursor-pointer text-14 text-ink-2">
            Version {version.version}, {formatDateTime(version.at)}
          </summary>
          <div className="mt-3">
            <Version version={version} />
          </div>
        </details>
      ))}
    </Card>
  )
}

function Version({ version }: { version: NonNullable<CaseFile['review']>['versions'][number] }) {
  return (
    <div className="flex flex-col gap-3 text-14">
      <p className="max-w-reading wrap-anywhere whitespace-pre-line text-ink">{version.text}</p>
      <Fact name="What they used it for">{version.usedFor}</Fact>
      <Fact name="Who should not buy it">{version.notFor}</Fact>
      {version.aiAssisted ? <p className="text-13 text-ink-2">AI was used for grammar and clarity.</p> : null}
    </div>
  )
}

function Listing({ file: { product } }: { file: CaseFile }) {
  return (
    <Card title="The listing">
      <p className="text-14">
        <TextLink href={product.listingHref} external>
          {product.title}
        </TextLink>
      </p>
      <p className="mt-3 max-w-reading text-14 wrap-anywhere whitespace-pre-line text-ink-2">
        {product.description?.trim() || 'No description provided'}
      </p>
    </Card>
  )
}

function Record({ file }: { file: CaseFile }) {
  const { review, product, before } = file
  return (
    <Card title="The record">
      <div className="flex flex-col gap-3 text-14">
        <Fact name="Product">
          <TextLink href={product.listingHref} external>
            {product.title}
          </TextLink>
        </Fact>
        {review ? (
          <>
            <Moment name="Accepted" at={review.acceptedAt} />
            <Moment name="Bought" at={review.purchasedAt} />
            <Moment name="Submitted" at={review.submittedAt} />
            <Moment name="Final" at={review.verifiedAt} />
            <Moment name="Removed" at={review.removedAt} />
            {review.paidCents === null ? null : <Fact name="Paid">{formatMoney(review.paidCents)}</Fact>}
            <Fact name="Proof of purchase">
              <Proof proof={review.proof} />
            </Fact>
          </>
        ) : null}
        <Fact name="The member before">
          {count(before.decisions, 'decision')} against them and {count(before.sanctions, 'sanction')} in a
          year, {count(before.strikes, 'strike')} in {days(strikes.days)}
        </Fact>
      </div>
    </Card>
  )
}

function Proof({ proof }: { proof: NonNullable<CaseFile['review']>['proof'] }) {
  if (!proof) return 'None is stored'
  if (proof.kind === 'order') return `Order ${proof.orderId ?? 'number deleted'}`
  return (
    <>
      <TextLink href={paths.proof(proof.id)} external>
        Open the file
      </TextLink>{' '}
      <span className="text-13 text-ink-3">(it is recorded)</span>
    </>
  )
}

function Moment({ name, at }: { name: string; at: string | null }) {
  return at === null ? null : <Fact name={name}>{formatDateTime(at)}</Fact>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <p className="text-13 text-ink-3">{name}</p>
      <p className="wrap-anywhere text-ink">{children}</p>
    </div>
  )
}
