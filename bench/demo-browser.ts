// The built demo and a browser, for parts that measure what people see.
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { browserLaunchOptions, findOrInstallBrowser } from '#scripts/browser.ts'
import { startProduct } from '../e2e/product.ts'
import { thenStop } from './ending.ts'

/** Starts both, and stops them after `work`. `origin`: the address of the demo. */
export async function withDemoBrowser<Result>(
  work: (browser: Browser, origin: string) => Promise<Result>,
): Promise<Result> {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  const product = await startProduct('embedded')
  return thenStop(
    () => product.stop(),
    async () => {
      const browser = await chromium.launch({
        ...browserLaunchOptions(),
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      })
      return thenStop(
        () => browser.close(),
        () => work(browser, product.origin),
      )
    },
  )
}
