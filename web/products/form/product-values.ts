// The values of the form for a product: what it starts with, its limits, and what is sent of them.
import { z } from 'zod'
import { categories, productFormats } from '#contract/products.ts'
import type { ImageFocus, ProductCard as Product, ProductFormat } from '#contract/products.ts'
import type { FormHandle } from '#web/kit/form.tsx'

/** The values of the form. `findProblem` checks the required ones, in a fixed order; here are the limits. */
export const productSchema = z.object({
  title: z.string(),
  category: z.enum(categories).nullable(),
  format: z.enum(['none', ...productFormats]).nullable(),
  couponLink: z.string(),
  priceCents: z
    .int('Please enter a price like 12.50')
    .min(0, 'Please enter a price of $0.00 or more')
    .max(100_000_000, 'Please enter a price of at most $1,000,000')
    .nullable(),
  /** The price with the coupon in cents. */
  couponCents: z.string().nullable(),
  description: z.string(),
  tags: z.array(z.string()),
  image: z.instanceof(File).nullable(),
  focus: z.object({ x: z.number(), y: z.number() }),
  consent: z.boolean(),
})
export type ProductValues = z.infer<typeof productSchema>
export type ProductFormHandle = FormHandle<typeof productSchema>

/** The fields of a product as the server expects them. */
export type ProductInput = {
  title: string
  category: string
  format: ProductFormat | null
  couponLink: string
  priceCents: number | null
  couponCents: number | null
  description: string | null
  tags: string[]
}

/** A new picture, if one was chosen, and the focal point, if it is to be stored. */
export type PictureInput = { image: File | null; focus: ImageFocus | null }

/** What the form shows at first. */
export function valuesOf(product: Product | undefined): ProductValues {
  return {
    title: product?.title ?? '',
    category: product?.category ?? null,
    format: product?.format ?? null,
    couponLink: product?.couponLink ?? '',
    priceCents: product?.priceCents ?? null,
    couponCents: String(product?.couponCents ?? 'none'),
    description: product?.description ?? '',
    tags: product?.tags ?? [],
    image: null,
    focus: product?.imageFocus ?? middle,
    consent: false,
  }
}

/** What is sent of the values. */
export function inputOf({
  title,
  category,
  format,
  couponLink,
  priceCents,
  couponCents,
  description,
  tags,
}: ProductValues): ProductInput {
  return {
    title: title.trim(),
    category: category ?? '',
    format: format === 'none' ? null : format,
    couponLink: couponLink.trim(),
    priceCents,
    couponCents: couponCents === null || couponCents === 'none' ? null : Number(couponCents),
    description: description.trim() || null,
    tags,
  }
}

const middle: ImageFocus = { x: 50, y: 50 }

/** The focal point is stored when it differs from that of the stored picture, or of a new one. */
export function pictureOf({ image, focus }: ProductValues, product: Product | undefined): PictureInput {
  const before = image || !product?.imageId ? middle : product.imageFocus
  const hasPicture = image !== null || Boolean(product?.imageId)
  const isMoved = focus.x !== before.x || focus.y !== before.y
  return { image, focus: hasPicture && isMoved ? focus : null }
}
