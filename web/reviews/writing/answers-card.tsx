import { answerLength } from '#contract/reviews.ts'
import type { Draft } from '#contract/reviews.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'

type AnswersCardProps = { draft: Draft; onChange: (part: Partial<Draft>) => void }

/** The two short answers for the seller. */
export function AnswersCard({ draft, onChange }: AnswersCardProps) {
  return (
    <Card
      title="How you used it"
      help={
        `Two short answers for the seller, of at least ${answerLength} characters each. ` +
        'They are not part of the published review.'
      }
    >
      <Field label="What did you use it for?">
        <Textarea
          rows={2}
          maxLength={500}
          value={draft.usedFor}
          onValueChange={(usedFor) => onChange({ usedFor: oneLine(usedFor) })}
        />
      </Field>
      <Field label="Who should not buy it?" className="-mb-6">
        <Textarea
          rows={2}
          maxLength={500}
          value={draft.notFor}
          onValueChange={(notFor) => onChange({ notFor: oneLine(notFor) })}
        />
      </Field>
    </Card>
  )
}

// The server stores each answer as one line.
function oneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ')
}
