// The only script of the public pages, which work without it. It closes the menu on Escape or a click,
// switches the theme, prints dark on white, and searches the help.
import { searchHelp } from './help-search.ts'
import './site.css'

const menu = document.querySelector<HTMLDetailsElement>('[data-menu]')
const summary = menu?.querySelector('summary')

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu?.open) return
  menu.open = false
  summary?.focus()
})
document.addEventListener('click', ({ target }) => {
  if (!menu?.open || !(target instanceof Element)) return
  if (!menu.contains(target) || target.closest('a')) menu.open = false
})

const help = document.querySelector<HTMLElement>('[data-help]')
if (help) searchHelp(help)

const root = document.documentElement
const choices = document.querySelectorAll<HTMLButtonElement>('[data-theme-choice]')
const chosen = () => root.dataset['theme'] ?? 'system'

for (const choice of choices) {
  const theme = choice.dataset['themeChoice'] ?? 'system'
  choice.addEventListener('click', () => {
    document.cookie = `theme=${theme}; path=/; max-age=${theme === 'system' ? 0 : 31_536_000}; samesite=lax`
    if (theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme
    showChosen()
  })
}
showChosen()

let onScreen: string | undefined
addEventListener('beforeprint', () => {
  onScreen = root.dataset['theme']
  root.dataset['theme'] = 'light'
})
addEventListener('afterprint', () => {
  if (onScreen === undefined) delete root.dataset['theme']
  else root.dataset['theme'] = onScreen
})

import.meta.hot?.on('public-pages-changed', () => location.reload())

function showChosen() {
  for (const choice of choices)
    choice.setAttribute('aria-pressed', String(choice.dataset['themeChoice'] === chosen()))
}
