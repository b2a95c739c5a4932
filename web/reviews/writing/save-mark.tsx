import { Check, CloudOff } from 'lucide-react'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatTime } from '#web/kit/time.ts'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import type { SaveState } from './autosave.ts'
import { isTooLong } from './too-long.ts'

/** Whether the draft is saved, as a short note. */
export function SaveMark({ state }: { state: SaveState }) {
  return (
    <output className="flex items-center gap-1.5 text-12 text-ink-3">
      <SaveLabel state={state} />
    </output>
  )
}

function SaveLabel({ state }: { state: SaveState }) {
  switch (state.kind) {
    case 'unchanged':
      return null
    case 'waiting':
    case 'saving':
      return (
        <>
          <Spinner size={12} /> Saving...
        </>
      )
    case 'saved':
      return (
        <>
          <Check size={14} aria-hidden="true" className="text-success-ink" />
          <span>
            Saved <time dateTime={state.at}>{formatTime(state.at)}</time>
          </span>
        </>
      )
    case 'failed':
      return (
        <span className="flex items-center gap-1.5 text-pretty text-warning-ink">
          <CloudOff size={14} aria-hidden="true" className="shrink-0" />
          {state.willRetry
            ? 'Not saved yet. Your text is safe here; trying again.'
            : isTooLong(state.error)
              ? 'Not saved: it is too long. Shorten it, or keep a copy.'
              : refusalMessage(state.error, 'Not saved.')}
        </span>
      )
  }
}
