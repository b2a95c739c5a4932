// The accessibility rules that a program can check, by axe.
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from '@playwright/test'

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const rules = {
  all: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  colors: ['color-contrast', 'link-in-text-block'],
}

/** Loads axe into every page of this context. Call it before the first page opens. */
export async function installAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: script })
}

/** The rules that a page violates as it is shown now. */
export async function violationsOf(page: Page, which: keyof typeof rules): Promise<string[]> {
  const options: RunOptions = {
    runOnly: rules[which],
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
  }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
