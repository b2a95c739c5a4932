import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

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

/**
 * The search of a list. It follows what is typed after a moment, or at once when the field is left; / focuses
 * it, Escape clears it.
 */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [searched, setSearched] = useState(value)
  const [known, setKnown] = useState(value)
  const box = useRef<HTMLDivElement>(null)
  // The address changed by itself, for example with the back button.
  if (value !== known) {
    setKnown(value)
    if (value !== searched) {
      setSearched(value)
      setText(value)
    }
  }

  function search() {
    const words = text.trim()
    if (words === searched) return
    setSearched(words)
    onSearch(words)
  }
  const searchLater = useEffectEvent(search)
  // Searching waits until the typing pauses. A press on a link leaves the field, so the search never comes
  // after that link and back to this list.
  useEffect(() => {
    const timer = setTimeout(() => searchLater(), searchDelay)
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
          onBlur={search}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search()
            if (event.key === 'Escape' && text !== '') setText('')
          }}
        />
      </Field>
    </div>
  )
}
