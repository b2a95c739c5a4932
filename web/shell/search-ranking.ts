import type { ReactNode } from 'react'
import { holds, nearlyHolds, wordsOf } from '#web/articles/find.ts'
import { keepOnDevice, readFromDevice } from '#web/kit/tab-storage.ts'

export type Hit = {
  id: string
  label: string
  hint: string
  href: string
  icon: ReactNode
  /** Additional search terms. */
  also?: string
  /** Words of the text that match. */
  excerpt?: string | null
  /** The server found it, so it matches. */
  isFound?: boolean
  /** What it does, instead of leading somewhere. */
  run?: () => void
}
export type Group = { value: string; items: Hit[] }

/**
 * The hits of a query, in groups: the group with the best hit first, and in each the best first and of equal
 * ones those opened last. Words with typos count only when nothing matches without. For an empty query
 * everything stays in its order, after what was opened last.
 */
export function rank(text: string, groups: readonly Group[], opened: readonly string[]): Group[] {
  const words = wordsOf(text)
  if (words.length === 0) return text.trim() === '' ? unasked(groups, opened) : []
  const exact = ranked(groups, opened, (hit) => scoreOf(hit, words))
  if (exact.some(({ items }) => items.some(({ isFound }) => !isFound))) return exact
  return ranked(groups, opened, (hit) => scoreOf(hit, words) || (nearlyHolds(textOf(hit), words) ? 0.5 : 0))
}

/** Before something is typed: what was opened last, then all that has a place of its own. */
function unasked(groups: readonly Group[], opened: readonly string[]): Group[] {
  const all = groups.flatMap(({ items }) => items).filter(({ run }) => !run)
  // All products lead to one page, so an address of several hits names the page.
  const recent = opened.flatMap((href) => {
    const hits = all.filter((hit) => hit.href === href && hit.hint !== 'Action')
    return hits.find(({ hint }) => hint === 'Page') ?? hits[0] ?? []
  })
  const shown = new Set(recent)
  const rest = groups.map((group) => ({ ...group, items: group.items.filter((hit) => !shown.has(hit)) }))
  return [{ value: 'Opened last', items: recent }, ...rest].filter(({ items }) => items.length > 0)
}

function ranked(groups: readonly Group[], opened: readonly string[], score: (hit: Hit) => number): Group[] {
  const recency = (hit: Hit) => (opened.includes(hit.href) ? 1 - opened.indexOf(hit.href) / mostOpened : 0)
  return groups
    .map(({ value, items }) => {
      const scored = items
        .map((hit) => ({ hit, points: score(hit) }))
        .filter(({ points }) => points > 0)
        .toSorted((one, other) => other.points - one.points || recency(other.hit) - recency(one.hit))
      return { value, items: scored.map(({ hit }) => hit), best: scored[0]?.points ?? 0 }
    })
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => other.best - one.best)
    .map(({ value, items }) => ({ value, items }))
}

function scoreOf(hit: Hit, words: readonly string[]): number {
  const begins = wordsOf(hit.label)[0]?.startsWith(words[0] ?? '') === true
  if (holds(hit.label, words)) return begins ? 3 : 2
  return holds(textOf(hit), words) || hit.isFound ? 1 : 0
}

const textOf = ({ label, hint, also = '' }: Hit) => `${label} ${hint} ${also}`

const mostOpened = 6
const key = (memberId: string) => `evenhand-opened ${memberId}`

/** The addresses that this member opened from the search here, the last one first. */
export function readOpened(memberId: string): string[] {
  return readFromDevice(key(memberId))?.split('\n').filter(Boolean) ?? []
}

export function keepOpened(memberId: string, href: string): void {
  const opened = [href, ...readOpened(memberId).filter((each) => each !== href)]
  keepOnDevice(key(memberId), opened.slice(0, mostOpened).join('\n'))
}
