import { useQueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { z } from 'zod'
import { hours } from '#contract/format.ts'
import {
  canDecide,
  caseOutcome,
  caseRule,
  findingsLength,
  isRuleOf,
  listingRules,
  moderationRefusals,
  sanctionLadder,
  writeStatement,
} from '#contract/moderation.ts'
import type { CaseOutcome, CaseRule, SanctionStep } from '#contract/moderation.ts'
import { returnHours, reviewRules } from '#contract/reviews.ts'
import type { CaseFile } from '#contract/staff/moderation.ts'
import { Form, FormRefusal, SubmitButton } from '#web/kit/form.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { StatementParts } from '#web/moderation/statement-card.tsx'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'
import { staffApi, staffClient } from '../api.ts'

const schema = z.object({
  outcome: caseOutcome.nullable().refine((outcome) => outcome !== null, 'Choose a decision.'),
  rule: caseRule.nullable(),
  findings: z
    .string()
    .trim()
    .min(findingsLength.min, `Say what it is based on (at least ${findingsLength.min} characters).`)
    .max(findingsLength.max, `Keep it under ${findingsLength.max} characters.`),
  unfounded: z.boolean(),
  sanction: z.boolean(),
  serious: z.boolean(),
})

type Values = z.input<typeof schema>

const start: Values = {
  outcome: null,
  rule: null,
  findings: '',
  unfounded: false,
  sanction: false,
  serious: false,
}

/** Decides a case. Shows the statement of reasons as the member will read it, before it is sent. */
export function DecisionForm({ file, ref }: { file: CaseFile; ref: Ref<HTMLDivElement> }) {
  const queries = useQueryClient()
  const { subject } = file
  const draft = `decide:${file.id}`
  return (
    <div ref={ref}>
      <Card
        title="Decide"
        help="The member reads these reasons. Leave out names: neither side knows the other."
      >
        <Form
          label="Decide"
          schema={schema}
          defaultValues={{ ...start, findings: readDraft(draft) }}
          onSubmit={async (values) => {
            const decision = asDecision(file, values)
            const may = canDecide({
              ...file,
              ...decision,
              hasReports: file.reports.some(({ withdrawn }) => !withdrawn),
            })
            if (may !== true) throw new FormRefusal(moderationRefusals[may].message)
            await staffClient.cases.decideCase(decision)
            dropDraft(draft)
            toast({ title: 'Decision sent', tone: 'success' })
            await queries.invalidateQueries({ queryKey: staffApi.cases.key() })
          }}
        >
          {({ values }) => {
            const isAdverse = values.outcome !== null && values.outcome !== 'dismissed'
            return (
              <>
                <KeepDraft name={draft} text={values.findings} />
                <Field name="outcome" label="Decision">
                  <RadioGroup options={outcomesOf(file)} look="cards" />
                </Field>
                {isAdverse ? (
                  <Field name="rule" label="Rule">
                    <Select
                      options={Object.entries(subject === 'review' ? reviewRules : listingRules).map(
                        ([value, { rule }]) => ({ value, label: rule }),
                      )}
                      placeholder="Choose the rule…"
                    />
                  </Field>
                ) : null}
                <Field
                  name="findings"
                  label="What it is based on"
                  help="What you saw in the text, the proof and the record, in words both sides may read."
                >
                  <Textarea rows={4} maxLength={findingsLength.max} />
                </Field>
                {values.outcome === 'dismissed' && file.reports.length > 0 ? (
                  <Checkbox
                    name="unfounded"
                    label="The report had no basis"
                    help="It counts against the member who made it, like a missed review. They can appeal."
                  />
                ) : null}
                {values.outcome === 'removed' ? (
                  <Checkbox
                    name="sanction"
                    label="And the next step of the sanctions"
                    help={ladderHelp(file, values)}
                  />
                ) : null}
                {values.outcome === 'sanctioned' || (values.outcome === 'removed' && values.sanction) ? (
                  <Checkbox
                    name="serious"
                    label="A serious breach"
                    help={
                      'Forged proof, paid opinions or attacks: it starts at a suspension. ' +
                      `${ladderHelp(file, { ...values, serious: true })}`
                    }
                  />
                ) : null}
                <Preview file={file} values={values} />
                <SubmitButton busyLabel="Sending...">Send decision</SubmitButton>
              </>
            )
          }}
        </Form>
      </Card>
    </div>
  )
}

function outcomesOf({ subject, mayReturn, mayRemove }: CaseFile) {
  const all: { value: CaseOutcome; label: string; help: string; may: boolean }[] = [
    {
      value: 'dismissed',
      label: 'Dismiss',
      help: subject === 'review' ? 'No rule was broken. The review counts.' : 'No rule was broken.',
      may: true,
    },
    {
      value: 'returned',
      label: 'Return for an edit',
      help: `The reviewer has ${hours(returnHours)} to edit it, or to stand by it once.`,
      may: mayReturn,
    },
    {
      value: 'removed',
      label: 'Remove',
      help:
        subject === 'review'
          ? 'A final review is no longer shown, and its ledger stays. Any other ends, and counts as missed.'
          : 'The listing leaves the exchange. One that isn’t its seller’s own is taken from them alone.',
      may: mayRemove,
    },
    {
      value: 'sanctioned',
      label: 'Sanction alone',
      help: 'It stays as it is, and the member takes the next step of the sanctions.',
      may: true,
    },
  ]
  return all.filter(({ may }) => may).map(({ may: _may, ...option }) => option)
}

function stepOf({ nextSanction }: CaseFile, { serious }: { serious: boolean }): SanctionStep {
  const step = sanctionLadder.steps[serious ? nextSanction.serious : nextSanction.usual]
  return step ?? sanctionLadder.steps[0]
}

function ladderHelp(file: CaseFile, values: { serious: boolean }) {
  const { kind, suspendedDays } = stepOf(file, values)
  return `Next: ${kind}${suspendedDays === null ? '' : ` for ${suspendedDays} days`}.`
}

function asDecision(file: CaseFile, values: Omit<Values, 'outcome'> & { outcome: CaseOutcome | null }) {
  const outcome = values.outcome ?? 'dismissed'
  const isAdverse = outcome !== 'dismissed'
  const sanction = outcome === 'sanctioned' || (outcome === 'removed' && values.sanction)
  return {
    id: file.id,
    outcome,
    rule: isAdverse ? values.rule : null,
    findings: values.findings,
    unfounded: outcome === 'dismissed' && values.unfounded,
    sanction,
    serious: sanction && values.serious,
  }
}

function Preview({ file, values }: { file: CaseFile; values: Values }) {
  const { outcome, rule, sanction, serious, findings } = asDecision(file, values)
  if (values.outcome === null || (outcome !== 'dismissed' && !isKnown(file, rule))) return null
  const statement = writeStatement({
    subject: file.subject,
    outcome,
    rule,
    findings: findings.trim() || '…',
    byPerson: true,
    flagged: file.flagged,
    isFinal: file.review?.status === 'verified',
    isSecondLook: file.stoodBy !== null,
    sanction: sanction ? stepOf(file, { serious }) : null,
  })
  return (
    <section aria-label="Preview" className="my-4 rounded-10 border border-line bg-sunken p-4">
      <h3 className="mb-3 text-13 font-semibold text-ink">
        {outcome === 'dismissed' ? 'The record will say' : 'The member will read'}
      </h3>
      <StatementParts statement={statement} />
    </section>
  )
}

function isKnown({ subject }: CaseFile, rule: CaseRule | null) {
  return rule !== null && isRuleOf(subject, rule)
}
