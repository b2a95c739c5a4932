// What makes a page accessible, as far as a program can tell.
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from '@playwright/test'

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const all = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
// Between light and dark only the colours change.
const colours = ['color-contrast', 'link-in-text-block']

/** Puts the checks into every page of this context; before the first of them. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: script })
}

/** What is wrong with a page as it is shown now. In the dark, what cannot differ is not looked at again. */
export async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const rules = colorScheme === 'light' ? all : colours
  const options: RunOptions = { runOnly: rules, resultTypes: ['violations'], preload: false }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
