import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Tally } from '#contract/staff/lists.ts'
import { formatNumber } from '#web/kit/time.ts'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'

type SearchFieldProps = {
  /** For screen readers: 'Search users'. */
  label: string
  placeholder: string
  /** The search in the address. */
  value: string
  onSearch: (search: string) => void
}

/** How long a search waits after the last keystroke, in milliseconds. */
const searchDelay = 250

/** The search of a list. It follows what is typed after a moment; / focuses it, Escape clears it. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [searched, setSearched] = useState(value)
  const box = useRef<HTMLDivElement>(null)
  // The address changed by itself, for example with the back button.
  if (value !== searched) {
    setSearched(value)
    if (value !== text.trim()) setText(value)
  }

  const search = useEffectEvent((words: string) => {
    if (words === value) return
    setSearched(words)
    onSearch(words)
  })
  // Searching waits until the typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [text])

  // The key works wherever the focus is on the page.
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      event.preventDefault()
      box.current?.querySelector('input')?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  return (
    <div ref={box} className="w-full sm:max-w-sm">
      <Field label={label} hideLabel noErrorLine>
        <Input
          type="search"
          leading={<Search aria-hidden="true" />}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onValueChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onSearch(text.trim())
            if (event.key === 'Escape' && text !== '') setText('')
          }}
        />
      </Field>
    </div>
  )
}

/** How many rows the filters leave, of all. */
export function Count({ counts, noun }: { counts: Counts | null | undefined; noun: string }) {
  return (
    <output className="text-13 text-ink-2 tabular">
      {counts ? `Showing ${formatTally(counts.matching)} of ${formatTally(counts.total)} ${noun}` : null}
    </output>
  )
}

type Counts = { matching: Tally; total: Tally }

/** The keys of a list whose rows open a member. */
export const memberListKeys = [
  { key: 'j', does: 'Next row' },
  { key: 'k', does: 'Previous row' },
  { key: 'Enter', does: 'Open the member' },
  { key: '/', does: 'Search' },
]

/** '1,234', '1,000+' for a count that was not finished, 'about 1,000,000' for an estimate. */
export function formatTally({ count, is }: Tally): string {
  const number = formatNumber(count)
  return is === 'exact' ? number : is === 'atLeast' ? `${number}+` : `about ${number}`
}
