// Filters the help page while you type. Everything is on the page already: this only hides and counts.
import { holds, meantBy, nearlyHolds } from '#web/articles/find.ts'

/** Starts the search of the help page. `?q=` holds the query and follows what is typed. */
export function searchHelp(help: HTMLElement): void {
  const input = help.querySelector<HTMLInputElement>('[data-help-query]')
  const form = help.querySelector<HTMLFormElement>('[data-help-form]')
  if (!input || !form) return
  let texts: ReadonlyMap<HTMLElement, string> | undefined

  function search(query: string) {
    // Read only when a search begins.
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

/** An entry with the text to search: a topic's whole text, and an article's text from its data attribute. */
function withText(item: HTMLElement): [HTMLElement, string] {
  return [item, `${item.textContent} ${item.dataset['helpText'] ?? ''}`]
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

/** Shows the sections of an article whose headings contain the words. */
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
