import { useState } from 'react'
import { plainText } from '#contract/markdown.ts'
import { Markdown } from './markdown.tsx'

const shown = 150

/** A product's description: its first 150 characters as plain text, and the whole on request. */
export function Description({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false)
  const trimmed = text?.trim()
  if (!trimmed) return <p className="text-14 text-ink-3">No description provided</p>
  const beginning = plainText(trimmed, shown + 1)
  const isLong = [...beginning].length > shown
  return (
    <div className="text-14 text-ink-2">
      {isLong && !whole ? (
        <p className="text-pretty wrap-anywhere">{shortened(beginning)}</p>
      ) : (
        <Markdown text={trimmed} />
      )}
      {isLong ? (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className={
            'mt-1 rounded-4 py-0.5 text-13 font-medium text-accent-ink ' +
            'underline decoration-accent-line underline-offset-3 hover:decoration-current'
          }
        >
          {whole ? 'Show less' : 'Show more'}
        </button>
      ) : null}
    </div>
  )
}

function shortened(beginning: string): string {
  const characters = [...beginning].slice(0, shown).join('')
  return `${characters.replace(/[\s.,;:!?]+$/, '')}…`
}
