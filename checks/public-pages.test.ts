import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { products } from '#db/seed/products.ts'
import { reviewTexts } from '#db/seed/review-texts.ts'
import { exampleReview } from '#web/marketing/front/example-review.tsx'
import { pictureFile, productPictures, schemes } from '#web/marketing/pictures/product-pictures.ts'
import type { PictureName } from '#web/marketing/pictures/product-pictures.ts'
import { readSources, resolveImport } from './sources.ts'

const sources = new Map(readSources(['web', 'contract']).map((source) => [source.path, source]))

/** Every file and package that is needed by this one, however far away. */
function neededBy(start: string) {
  const needed = new Set<string>()
  function add(path: string) {
    if (needed.has(path)) return
    needed.add(path)
    for (const to of sources.get(path)?.imports ?? []) add(resolveImport(path, to))
  }
  add(start)
  return [...needed]
}

const drawn = neededBy('web/marketing/render.tsx')

test('public pages are made of the kit, the texts and the contract: no client, no router, no screen', () => {
  const own = String.raw`web/(marketing|articles|kit)/|web/paths\.ts$|contract/|content/`
  const libraries = 'react|react-dom|lucide-react|mdx|zod|virtual:site-assets|@base-ui/react|@orpc/contract'
  const allowed = new RegExp(`^(${own}|(${libraries})(/|$))`)
  expect(drawn.length).toBeGreaterThan(40)
  expect(drawn.filter((path) => !allowed.test(path) || path.endsWith('-screen.tsx'))).toEqual([])
})

test('the one script of the public pages loads no library', () => {
  const script = neededBy('web/marketing/site.ts').filter((path) => !path.endsWith('.css'))
  expect(script.filter((path) => !/^web\/(marketing|articles)\/[\w-]+\.ts$/.test(path))).toEqual([])
})

test('their stylesheet is made for every part of the kit that they show', () => {
  const sheet = readFileSync('web/marketing/site.css', 'utf8')
  const lists = sheet.matchAll(/'\.\.\/kit\/ui\/\{(.*)\}\.tsx'/g)
  const named = [...lists].flatMap(([, list = '']) => list.split(','))
  const shown = drawn.flatMap((path) => /^web\/kit\/ui\/([\w-]+)\.tsx$/.exec(path)?.[1] ?? [])
  expect(named, 'the list in web/marketing/site.css').toEqual(shown.toSorted())
})

test.each(Object.entries(productPictures))('the picture %s is there, light and dark', async (name, size) => {
  for (const scheme of schemes) {
    // The keys of the pictures are their names.
    const picture = sharp(`web/public${pictureFile(name as PictureName, scheme)}`)
    const { width, height } = await picture.metadata()
    expect([width, height], scheme).toEqual([size.width * 2, size.height * 2])
  }
})

test('the review on the front page is one of the demo club’s, word for word', () => {
  const { title, text, usedFor, notFor } = exampleReview
  const { slug } = products.find((product) => product.title === title) ?? {}
  const reviews = reviewTexts.filter(({ product }) => product === slug)
  expect(reviews).toContainEqual(expect.objectContaining({ text, usedFor, notFor }))
})

test('the page that checks a draw shows what the script prints', () => {
  const script = readFileSync('scripts/verify-draw.mjs', 'utf8')
  const page = readFileSync('web/marketing/draws/check-page.tsx', 'utf8')
  for (const line of ['The file is a receipt of a draw.', 'Every step holds. Nothing was found wrong.']) {
    expect(script).toContain(line)
    expect(page).toContain(line)
  }
})
