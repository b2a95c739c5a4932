import type { ReactNode } from 'react'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'

type SubmitCardProps = {
  attested: boolean
  onAttested: (attested: boolean) => void
  /** What is still missing, as sentences. */
  reasons: string[]
  /** Why the last attempt failed. */
  failure: ReactNode
  busy: boolean
  isAgain: boolean
  /** Whether the review is published. */
  isPublic: boolean
}

/** The member's confirmation, what is still missing, and the submit button. */
export function SubmitCard({
  attested,
  onAttested,
  reasons,
  failure,
  busy,
  isAgain,
  isPublic,
}: SubmitCardProps) {
  return (
    <Card title="Submit your review">
      <Checkbox
        label="I bought and used this product myself, and this is my own opinion."
        checked={attested}
        onCheckedChange={onAttested}
      />
      <p className="mt-3 text-13 text-pretty text-ink-2">
        Once it is verified, the review has a public receipt without your name.
        {isPublic
          ? ' The seller may show its text with the disclosure as a card, ' +
            'together with all other reviews of the product.'
          : null}
      </p>
      <StillMissing reasons={reasons} />
      {failure ? (
        <Alert tone="danger" className="mt-4">
          {failure}
        </Alert>
      ) : null}
      <div className="mt-5">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          busy={busy}
          busyLabel="Submitting..."
          disabledReason={reasons[0]}
        >
          {isAgain ? 'Submit again' : 'Submit'}
        </Button>
      </div>
    </Card>
  )
}

function StillMissing({ reasons }: { reasons: string[] }) {
  if (reasons.length === 0) {
    return <p className="mt-4 text-13 font-medium text-success-ink">Your review is ready to submit.</p>
  }
  return (
    <div className="mt-4 rounded-10 border border-line bg-sunken px-4 py-3 text-13">
      <p className="font-medium text-ink">Before you can submit:</p>
      <ul className="mt-1 list-disc pl-4.5 text-ink-2">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  )
}
