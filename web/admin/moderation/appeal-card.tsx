import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { findingsLength, writeAppealStatement } from '#contract/moderation.ts'
import type { CaseFile } from '#contract/staff/moderation.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { StatementParts } from '#web/moderation/statement-card.tsx'
import { staffApi, staffClient } from '../api.ts'
import { CaseClock } from './case-clock.tsx'

type Appeal = CaseFile['appeals'][number]

/** An appeal: what the member says, and its decision, or the form for it. */
export function AppealCard({ appeal }: { appeal: Appeal }) {
  return (
    <Card
      title={appeal.byMember ? 'Appeal of the member' : 'Appeal of a reporter'}
      help={`Sent on ${formatDateTime(appeal.createdAt)}`}
    >
      <div className="flex flex-col gap-4 text-14">
        <p className="wrap-anywhere whitespace-pre-line text-ink">
          {appeal.explanation ?? 'The member left the club, and their words were deleted.'}
        </p>
        {appeal.statement ? (
          <StatementParts statement={appeal.statement} />
        ) : (
          <>
            <CaseClock dueAt={appeal.dueAt} />
            {appeal.mayDecide ? (
              <AppealForm appeal={appeal} />
            ) : (
              <Alert>You made the decision, so another member of staff decides about the appeal.</Alert>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

const schema = z.object({
  outcome: z
    .enum(['upheld', 'overturned'])
    .nullable()
    .refine((outcome) => outcome !== null, 'Choose a decision.'),
  findings: z
    .string()
    .trim()
    .min(findingsLength.min, `Say what it is based on (at least ${findingsLength.min} characters).`)
    .max(findingsLength.max, `Keep it under ${findingsLength.max} characters.`),
})

function AppealForm({ appeal: { id, tookListing, countsAsGiven } }: { appeal: Appeal }) {
  const queries = useQueryClient()
  return (
    <Form
      label="Decide the appeal"
      schema={schema}
      defaultValues={{ outcome: null, findings: '' }}
      onSubmit={async ({ outcome, findings }) => {
        await staffClient.cases.decideAppeal({ id, overturn: outcome === 'overturned', findings })
        toast({ title: 'Decision sent', tone: 'success' })
        await queries.invalidateQueries({ queryKey: staffApi.cases.key() })
      }}
    >
      {({ values }) => (
        <>
          <Field name="outcome" label="Decision about the appeal">
            <RadioGroup
              look="cards"
              options={[
                { value: 'upheld', label: 'The decision stands', help: 'What followed from it stays.' },
                {
                  value: 'overturned',
                  label: 'Reverse the decision',
                  help:
                    'Any strike or sanction that it brought is withdrawn, and what it removed is shown ' +
                    'again.' +
                    (countsAsGiven ? ' The review counts as given.' : ''),
                },
              ]}
            />
          </Field>
          <Field name="findings" label="What it is based on" help="The member reads this.">
            <Textarea rows={4} maxLength={findingsLength.max} />
          </Field>
          {values.outcome === null ? null : (
            <section aria-label="Preview" className="mb-4 rounded-10 border border-line bg-sunken p-4">
              <h3 className="mb-3 text-13 font-semibold text-ink">The member will read</h3>
              <StatementParts
                statement={writeAppealStatement({
                  overturned: values.outcome === 'overturned',
                  findings: values.findings.trim() || '…',
                  tookListing,
                  countsAsGiven,
                })}
              />
            </section>
          )}
          <SubmitButton busyLabel="Sending...">Send decision</SubmitButton>
        </>
      )}
    </Form>
  )
}
