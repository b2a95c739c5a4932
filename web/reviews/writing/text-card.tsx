import type { Draft } from '#contract/reviews.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { StarRatingInput } from '#web/kit/ui/star-rating.tsx'
import type { SaveState } from './autosave.ts'
import { CheckList } from './check-list.tsx'
import type { ReviewCheck } from './review-checks.ts'
import { ReviewEditor } from './review-editor.tsx'
import { SaveMark } from './save-mark.tsx'

type TextCardProps = {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  /** Null where nothing is posted. */
  disclosure: string | null
  saveState: SaveState
  checks: ReviewCheck[]
}

/** The stars and the text, with its checks. */
export function TextCard({ draft, onChange, disclosure, saveState, checks }: TextCardProps) {
  return (
    <Card title="Your review" help="Say what you found, good or bad. None of our rules depend on your stars.">
      <Field label="Your rating" noErrorLine className="mb-5">
        <StarRatingInput value={draft.rating} onValueChange={(rating) => onChange({ rating })} />
      </Field>
      <ReviewEditor disclosure={disclosure} text={draft.text} onTextChange={(text) => onChange({ text })} />
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <Checkbox
          label="I used AI for grammar and clarity"
          help="Optional. You may not use AI for anything else."
          checked={draft.aiAssisted}
          onCheckedChange={(aiAssisted) => onChange({ aiAssisted })}
        />
        <SaveMark state={saveState} />
      </div>
      <CheckList label="Checks of the text" checks={checks} className="mt-5" />
    </Card>
  )
}
