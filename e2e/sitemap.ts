import { paths } from '#web/paths.ts'
import { expect } from './product.ts'
import type { Product } from './product.ts'

/** The path of every public page. */
export async function sitemapOf({ origin }: Pick<Product, 'origin'>): Promise<string[]> {
  const answer = await fetch(`${origin}/sitemap.xml`)
  const found = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  )
  expect(found).toContain(paths.home())
  expect(found.length).toBeGreaterThan(15)
  return found
}
