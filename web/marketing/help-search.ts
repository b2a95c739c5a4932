// Narrows the list of the help to what is typed. Everything it shows is on the page already; it only hides, counts and says how many.
import { holds, meantBy, nearlyHolds } from '#web/articles/find.ts'

/** Takes up the search of the help page. `?q=` is what is searched for at first, and follows what is typed. */
export function searchHelp(help: HTMLElement): void {
  const input = help.querySelector<HTMLInputElement>('[data-help-query]')
  const form = help.querySelector<HTMLFormElement>('[data-help-form]')
  if (!input || !form) return
  let texts: ReadonlyMap<HTMLElement, string> | undefined

  function search(query: string) {
    // Nothing is read before somebody searches: the page stands as it came.
    texts ??= new Map([...help.querySelectorAll<HTMLElement>('[data-help-item]')].map(withText))
    narrow(help, texts, query)
  }

  form.addEventListener('submit', (event) => event.preventDefault())
  input.addEventListener('input', () => {
    search(input.value)
    keepInAddress(input.value)
  })
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  if (input.value) search(input.value)
}

/** What an entry says: a topic all of it, an article the words that come with it. */
function withText(item: HTMLElement): [HTMLElement, string] {
  return [item, `${item.textContent} ${item.dataset['helpWords'] ?? ''}`]
}

function narrow(help: HTMLElement, texts: ReadonlyMap<HTMLElement, string>, query: string): void {
  const words = meantBy(query)
  const exact = [...texts.values()].some((text) => holds(text, words))
  let found = 0
  for (const [item, text] of texts) {
    item.hidden = exact ? !holds(text, words) : !nearlyHolds(text, words)
    if (item.hidden) continue
    found += 1
    showSections(item, words)
  }
  for (const group of help.querySelectorAll<HTMLElement>('[data-help-group]')) {
    group.hidden = group.querySelector('[data-help-item]:not([hidden])') === null
  }
  const empty = help.querySelector<HTMLElement>('[data-help-empty]')
  if (empty) empty.hidden = found > 0
  const count = help.querySelector('[data-help-count]')
  const results = `${found} ${found === 1 ? 'result' : 'results'}`
  if (count)
    count.textContent =
      words.length === 0 ? '' : exact || found === 0 ? results : `${results} for similar words`
}

/** The sections of an article whose own headings have the words. */
function showSections(item: HTMLElement, words: readonly string[]): void {
  const list = item.querySelector<HTMLElement>('[data-help-sections]')
  if (!list) return
  let shown = 0
  for (const section of list.querySelectorAll<HTMLElement>('[data-help-section]')) {
    section.hidden = words.length === 0 || !holds(section.textContent ?? '', words)
    if (!section.hidden) shown += 1
  }
  list.hidden = shown === 0
}

function keepInAddress(query: string): void {
  const address = new URL(location.href)
  if (query.trim()) address.searchParams.set('q', query.trim())
  else address.searchParams.delete('q')
  history.replaceState(history.state, '', address)
}
