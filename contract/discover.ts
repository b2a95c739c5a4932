// What members see of each other's products. It says nothing about who sells them: no member, no listing, no
// coupon and no time, and the ids are random.
import { z } from 'zod'
import { call, cents, id, line, page, pageOf, time } from './kit.ts'
import { category, imageFocus, productFormat } from './products.ts'

/** The days whose completed exchanges make a product trend. */
export const trendingDays = 7
/** From how many exchanges on their number is shown; a smaller one could show who took part. */
export const trendingShownFrom = 3

/** A live product of the club, as every member sees it. */
const liveProduct = z.object({
  id,
  title: z.string(),
  category,
  format: productFormat.nullable(),
  /** The beginning of the description as plain text. */
  summary: z.string().nullable(),
  tags: z.array(z.string()),
  priceCents: cents.nullable(),
  imageId: id.nullable(),
  imageFocus,
  marketplaceName: z.string(),
  /** Whether it is one of my own. */
  mine: z.boolean(),
  /** What keeps it from being offered to me, if I said that I don't want it; `endsAt` once taken back. */
  unwanted: z.object({ id, of: z.enum(['product', 'category']), endsAt: time.nullable() }).nullable(),
})
export type LiveProduct = z.infer<typeof liveProduct>

const trendingProduct = liveProduct.extend({
  /** Its exchanges in the last seven days; null for a number below `trendingShownFrom`. */
  exchanges: z.int().nullable(),
})
export type TrendingProduct = z.infer<typeof trendingProduct>

const describedProduct = liveProduct.extend({ description: z.string().nullable() })
export type DescribedProduct = z.infer<typeof describedProduct>

const filter = {
  category: category.optional(),
  tag: line(40, 1).optional(),
  search: line(100, 1).optional(),
}

export const discover = {
  listLiveProducts: call
    .route({
      method: 'GET',
      path: '/discover',
      summary: 'The club’s live products, in an order that changes every day',
    })
    .input(z.strictObject({ ...pageOf.shape, ...filter }))
    .output(page(liveProduct)),
  listTrendingProducts: call
    .route({
      method: 'GET',
      path: '/trending',
      summary: 'The live products with the most completed exchanges in seven days',
    })
    .input(z.strictObject({ ...pageOf.shape, category: filter.category }))
    .output(page(trendingProduct)),
  getLiveProduct: call
    .route({ method: 'GET', path: '/discover/{id}', summary: 'One of the club’s live products' })
    .input(z.strictObject({ id }))
    .output(describedProduct),
}
