import { formatTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import type { SavedDraft } from './use-draft.ts'

type NewerDraftProps = { newer: SavedDraft; onKeepMine: () => void; onTakeNewer: () => void }

/** Shows the draft that another tab or device saved, and lets the member choose which one to keep. */
export function NewerDraft({ newer: { draft, savedAt }, onKeepMine, onTakeNewer }: NewerDraftProps) {
  const answers = [
    { label: 'Rating', text: draft.rating === null ? '' : `${draft.rating} of 5 stars` },
    { label: 'Text of the review', text: draft.text },
    { label: 'What did you use it for?', text: draft.usedFor },
    { label: 'Who should not buy it?', text: draft.notFor },
  ].filter(({ text }) => text.trim() !== '')
  return (
    <Alert
      tone="warning"
      announce
      title="There’s a newer version of this review"
      action={
        <>
          <Button size="sm" onClick={onTakeNewer}>
            Use the newer version
          </Button>
          <Button size="sm" onClick={onKeepMine}>
            Keep what’s on this page
          </Button>
        </>
      }
    >
      <p>
        You saved it{savedAt ? ` at ${formatTime(savedAt)}` : ''} in another tab or on another device. What
        you typed here is still below, but not saved. Copy what you need, then choose one.
      </p>
      <section
        // Long texts scroll here, also by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="The newer version"
        className="mt-3 max-h-72 overflow-y-auto rounded-8 border border-line bg-surface p-3"
      >
        {answers.length === 0 ? <p>It is empty.</p> : null}
        {answers.map(({ label, text }) => (
          <div key={label} className="mt-3 first:mt-0">
            <p className="text-13 font-medium text-ink">{label}</p>
            <p className="whitespace-pre-wrap">{text}</p>
          </div>
        ))}
      </section>
    </Alert>
  )
}
