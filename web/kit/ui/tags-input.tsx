import { Field as BaseField } from '@base-ui/react/field'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'
import { useLengthLimit } from './use-length-limit.ts'

type TagsInputProps = {
  value?: string[]
  defaultValue?: string[]
  onValueChange?: (tags: string[]) => void
  /** The maximum number of tags. */
  max?: number
  /** The maximum length of a tag, in characters. */
  maxLength?: number
  placeholder?: string
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
}

/**
 * Tags, kept as typed. Enter or a comma adds one, Backspace in the empty input removes the last one, and a
 * pasted list is split at commas and line breaks. A tag is not added twice, even in another case.
 */
export function TagsInput({
  value,
  defaultValue,
  onValueChange,
  max = 10,
  maxLength = 40,
  placeholder = 'Add a tag',
  label,
}: TagsInputProps) {
  const [tags, setTags] = useControl<string[]>({ value, defaultValue, onValueChange }, [])
  const [draft, setDraft] = useState('')
  const [announcement, announce] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const limit = useLengthLimit(draft, maxLength)
  const full = tags.length >= max

  function add(typed: string[]) {
    const next = [...tags]
    for (const text of typed.map((text) => text.trim().slice(0, maxLength)).filter(Boolean)) {
      if (next.length < max && !next.some((tag) => tag.toLowerCase() === text.toLowerCase())) next.push(text)
    }
    setDraft('')
    if (next.length === tags.length) return announce(full ? `No more than ${max} tags.` : 'Already added.')
    setTags(next)
    announce(`Added ${next.slice(tags.length).join(', ')}. ${next.length} of ${max}.`)
  }

  function remove(index: number) {
    setTags(tags.filter((_, at) => at !== index))
    announce(`Removed ${tags[index] ?? ''}. ${tags.length - 1} of ${max}.`)
    input.current?.focus()
  }

  function key(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    // Enter never submits the form around it: a comma may have added the tag already.
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      if (draft.trim()) add([draft])
    } else if (event.key === 'Backspace' && draft === '' && tags.length > 0) {
      event.preventDefault()
      remove(tags.length - 1)
    }
  }

  /** On a phone's keyboard a comma shows in the text alone. */
  function type(text: string) {
    limit.change()
    if (text.includes(',')) add(text.split(','))
    else setDraft(text)
  }

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    if (!/[,\n]/.test(text)) return limit.paste(event)
    event.preventDefault()
    add(`${draft}${text}`.split(/[,\n]/))
  }

  return (
    <div
      className={
        'control flex min-h-9 flex-wrap items-center gap-1.5 ' + 'px-1.5 py-[5px] pointer-coarse:min-h-10'
      }
    >
      {tags.length > 0 ? (
        <ul aria-label="Tags" className="contents">
          {tags.map((tag, index) => (
            <li
              key={tag}
              className={
                'inline-flex h-6 max-w-full items-center ' +
                'rounded-6 border border-line bg-sunken pl-2 text-13'
              }
            >
              <span className="truncate">{tag}</span>
              <button
                type="button"
                aria-label={`Remove ${tag}`}
                onClick={() => remove(index)}
                className={
                  'flex size-6 shrink-0 items-center justify-center rounded-6 text-ink-3 hover:text-ink ' +
                  'focus-visible:outline-offset-[-2px]'
                }
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <BaseField.Control
        ref={input}
        value={draft}
        onValueChange={type}
        onKeyDown={key}
        onPaste={paste}
        onBlur={() => draft.trim() && add([draft])}
        readOnly={full}
        maxLength={maxLength}
        aria-label={label}
        placeholder={full ? `${max} of ${max}` : tags.length === 0 ? placeholder : ''}
        className={cx('h-6 min-w-16 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-3')}
      />
      <output className="sr-only">{announcement}</output>
    </div>
  )
}
