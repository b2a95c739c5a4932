// What makes a page accessible, as far as a program can check it.
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from '@playwright/test'

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const rules = {
  all: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  colors: ['color-contrast', 'link-in-text-block'],
}

/** Puts the checks into every page of this context; before the first of them. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: script })
}

/** The rules that a page breaks as it is shown now. */
export async function violationsOf(page: Page, which: keyof typeof rules): Promise<string[]> {
  const options: RunOptions = { runOnly: rules[which], resultTypes: ['violations'], preload: false }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
