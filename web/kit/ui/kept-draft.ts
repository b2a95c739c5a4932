import { useEffect } from 'react'
import { dropAllFromTab, dropFromTab, keepInTab, readFromTab } from '../tab-storage.ts'

/** The text that was typed into a form of this name and not sent, kept while the tab is open. */
export function readDraft(name: string): string {
  return readFromTab(`draft:${name}`) ?? ''
}

/** Deletes what was kept, once it was sent. */
export function dropDraft(name: string): void {
  dropFromTab(`draft:${name}`)
}

/** Says who is signed in. What another member typed in this tab before is deleted. */
export function noteDrafter(memberId: string): void {
  if (readFromTab('drafter') === memberId) return
  dropAllFromTab('draft:')
  keepInTab('drafter', memberId)
}

/** Keeps the text of a form while it is typed. */
export function KeepDraft({ name, text }: { name: string; text: string }): null {
  // The tab's storage is outside React, and the form keeps its values to itself.
  useEffect(() => {
    if (text === '') dropFromTab(`draft:${name}`)
    else keepInTab(`draft:${name}`, text)
  }, [name, text])
  return null
}
