import { useEffect, useRef, useState } from 'react'
import type { ClipboardEvent } from 'react'
import { useField } from '../form-context.ts'
import { formatNumber } from '../time.ts'

/**
 * The longest text of a control. The browser drops what is longer without a word, so the field says that the
 * end of a pasted text is missing, or that nothing more fits. `change` and `paste` belong to the control.
 */
export function useLengthLimit(text: string, maxLength: number | undefined) {
  const field = useField()
  const [isCut, setIsCut] = useState(false)
  const isPasting = useRef(false)
  const note = maxLength === undefined ? null : noteOf(text.length, maxLength, isCut)
  const showNote = field?.showNote
  // The field is around its control. It learns here what to show, also when a form clears the text.
  useEffect(() => {
    showNote?.(note)
    return () => showNote?.(null)
  }, [showNote, note])

  function paste(event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
    if (maxLength === undefined) return
    const { selectionStart, selectionEnd, value, tagName } = event.currentTarget
    const pasted = event.clipboardData.getData('text').replaceAll(/\r?\n/g, tagName === 'INPUT' ? '' : '\n')
    // A field for an email address doesn't say what is selected.
    const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0)
    setIsCut(value.length - replaced + pasted.length > maxLength)
    isPasting.current = true
    // What is pasted arrives at once, if anything fits.
    setTimeout(() => (isPasting.current = false))
  }

  function change() {
    if (!isPasting.current) setIsCut(false)
  }

  return { change, paste }
}

/** Shorter texts are codes and numbers, which are as long as they have to be. */
const shortestText = 40

function noteOf(length: number, most: number, isCut: boolean): string | null {
  // The cut may be some letters earlier, so that it splits no character.
  if (isCut && length > most * 0.9)
    return `Your text was cut at ${formatNumber(most)} characters, the most that fits.`
  return length >= most && most >= shortestText ? `That’s the most: ${formatNumber(most)} characters.` : null
}
