import { Lock } from 'lucide-react'
import { countText, reviewLength } from '#contract/review-text.ts'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'

type ReviewEditorProps = {
  /** The first paragraph, which cannot be edited. Null where nothing is posted. */
  disclosure: string | null
  /** The review without its disclosure. */
  text: string
  onTextChange: (text: string) => void
}

/** A review as readers will see it: the disclosure as its fixed first paragraph, then the editable text. */
export function ReviewEditor({ disclosure, text, onTextChange }: ReviewEditorProps) {
  const { words, sentences } = countText(text)
  return (
    <Field
      label="Text of the review"
      aside={
        <span className="tabular">
          {words} {words === 1 ? 'word' : 'words'} · {sentences} {sentences === 1 ? 'sentence' : 'sentences'}
        </span>
      }
      help={`At least ${reviewLength.words} words or ${reviewLength.sentences} sentences in your own words.`}
    >
      {disclosure ? (
        <p
          className={
            'flex gap-2 rounded-t-8 border border-b-0 border-line-strong ' +
            'bg-sunken px-3 py-2.5 text-14 text-ink-2'
          }
        >
          <Lock size={14} aria-hidden="true" className="mt-0.75 shrink-0 text-ink-3" />
          <span>
            <span className="sr-only">Your review begins with this sentence, which you cannot change: </span>
            {disclosure}
          </span>
        </p>
      ) : null}
      <Textarea
        rows={9}
        value={text}
        onValueChange={onTextChange}
        placeholder="What was it like to use?"
        className={disclosure ? 'min-h-44! rounded-t-none!' : 'min-h-44!'}
      />
    </Field>
  )
}
