import { readDraft } from '#web/kit/ui/kept-draft.ts'

/** Under which name a tab keeps what is typed about a message, and the version at which the answer began. */
export function keptName(threadId: string, of: 'answer' | 'note' | 'version'): string {
  return `support:${threadId}:${of}`
}

/** The version at which a kept answer was begun; null when none is kept. */
export function readKeptVersion(threadId: string): number | null {
  return Number(readDraft(keptName(threadId, 'version'))) || null
}
