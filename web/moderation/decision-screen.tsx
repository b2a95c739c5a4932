import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { hours } from '#contract/format.ts'
import { findingsLength } from '#contract/moderation.ts'
import type { Decision } from '#contract/moderation.ts'
import { moderationHours } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDateTime, formatUntil, useServerNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'
import { StatementParts } from './statement-card.tsx'

/** /moderation/:id: a decision that concerns me, its reasons, and my appeal. */
export function DecisionScreen({ id }: { id: string }) {
  const query = useQuery(api.moderation.getDecision.queryOptions({ input: { id } }))
  useServerClock(query)
  if (query.isError && !query.data) {
    return (
      <Page width="reading">
        <ErrorState
          level={1}
          title="This decision could not be shown"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        >
          It doesn’t exist, it isn’t about you, or the connection failed.
        </ErrorState>
      </Page>
    )
  }
  if (!query.data) {
    return (
      <Page width="reading">
        <h1 className="sr-only">Loading the decision</h1>
        <Loading label="Loading the decision" className="flex flex-col gap-6">
          <Skeleton className="h-7 w-60" />
          <Skeleton className="h-72 rounded-12" />
        </Loading>
      </Page>
    )
  }
  return <Shown decision={query.data} />
}

function Shown({ decision }: { decision: Decision }) {
  const { statement, at, productTitle, reviewId, aboutMyReport, sanction, overturnedAt } = decision
  return (
    <Page width="reading">
      <PageHeader
        title="Our staff made a decision"
        help={`About ${nameOf(decision)} “${productTitle}”, on ${formatDateTime(at)}.`}
        breadcrumb={[{ label: 'Reports', href: paths.moderation() }]}
        action={
          reviewId === null ? undefined : (
            <LinkButton href={aboutMyReport ? paths.moderation() : paths.review(reviewId)}>
              {aboutMyReport ? 'Your reports' : 'Open review'}
            </LinkButton>
          )
        }
      />
      {overturnedAt ? (
        <Alert tone="success" title="This decision was reversed">
          An appeal reversed it on {formatDateTime(overturnedAt)}.
        </Alert>
      ) : null}
      <Card title="The reasons">
        <StatementParts statement={statement} />
        {sanction?.until && sanction.liftedAt === null ? (
          <p className="mt-4 text-14 text-ink-2">The suspension ends on {formatDateTime(sanction.until)}.</p>
        ) : null}
        {sanction?.liftedAt ? (
          <p className="mt-4 text-14 text-ink-2">
            The sanction was lifted on {formatDateTime(sanction.liftedAt)}.
          </p>
        ) : null}
      </Card>
      <Appeal decision={decision} />
    </Page>
  )
}

function nameOf({ aboutMyReport, subject }: Decision) {
  if (aboutMyReport) return 'your report on'
  return subject === 'review' ? 'your review of' : 'your listing'
}

function Appeal({ decision }: { decision: Decision }) {
  const { appeal, appealUntil } = decision
  const now = useServerNow()
  if (appeal) {
    return (
      <Card
        title="Your appeal"
        help={
          appeal.decidedAt
            ? `Decided on ${formatDateTime(appeal.decidedAt)}`
            : `Another person decides ${formatUntil(appeal.dueAt, now)}`
        }
      >
        <p className="mb-4 text-14 wrap-anywhere whitespace-pre-line text-ink-2">“{appeal.explanation}”</p>
        {appeal.statement ? <StatementParts statement={appeal.statement} /> : null}
      </Card>
    )
  }
  if (appealUntil === null) return null
  return <AppealForm id={decision.id} until={appealUntil} />
}

const schema = z.object({
  explanation: z
    .string()
    .trim()
    .min(findingsLength.min, `Say why in a sentence (at least ${findingsLength.min} characters).`)
    .max(findingsLength.max, `Keep it under ${findingsLength.max} characters.`),
})

function AppealForm({ id, until }: { id: string; until: string }) {
  const queries = useQueryClient()
  const draft = `appeal:${id}`
  return (
    <Card title="Appeal" help={`Until ${formatDateTime(until)}. Another person decides, and that is final.`}>
      <Form
        label="Appeal"
        schema={schema}
        defaultValues={{ explanation: readDraft(draft) }}
        onSubmit={async ({ explanation }) => {
          await client.moderation.appealDecision({ id, explanation })
          dropDraft(draft)
          toast({
            title: 'Appeal sent',
            description: `Another person decides within ${hours(moderationHours)}.`,
            tone: 'success',
          })
          await queries.invalidateQueries({ queryKey: api.moderation.key() })
        }}
      >
        {(form) => (
          <>
            <KeepDraft name={draft} text={form.values.explanation} />
            <Field name="explanation" label="Why is the decision wrong?">
              <Textarea rows={5} maxLength={findingsLength.max} />
            </Field>
            <SubmitButton busyLabel="Sending...">Send appeal</SubmitButton>
          </>
        )}
      </Form>
    </Card>
  )
}
