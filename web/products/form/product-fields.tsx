import { BadgeCheck, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { demoCouponLink } from '#contract/demo.ts'
import {
  categories,
  categoryNames,
  couponLinkLength,
  formatNames,
  imageBytesLimit,
  productFormats,
  productRefusals,
  tagsLimit,
} from '#contract/products.ts'
import type { Marketplace, ProductCard as Product } from '#contract/products.ts'
import { formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryIcon } from '#web/kit/ui/category-badge.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { FileDrop } from '#web/kit/ui/file-drop.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { PriceInput } from '#web/kit/ui/price-input.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { TagsInput } from '#web/kit/ui/tags-input.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { paths } from '#web/paths.ts'
import { FocalPoint } from './focal-point.tsx'
import { findMarketplace, isSameListing } from './product-checks.ts'
import type { ProductFormHandle } from './product-values.ts'

const formatOptions = [
  { value: 'none', label: 'Not stated' },
  ...productFormats.map((format) => ({ value: format, label: formatNames[format] })),
]

export type ProductFieldsProps = {
  form: ProductFormHandle
  product?: Product
  marketplaces: readonly Marketplace[] | undefined
}

/** Whether a member was offered the product or reviews it, so that what they were offered cannot change. */
function isFixed(product: Product | undefined): boolean {
  return product?.request?.status === 'offered' || product?.request?.status === 'in_review'
}

/** The fields of a product. What someone was offered can’t be changed. */
export function ProductFields({ form, product, marketplaces }: ProductFieldsProps) {
  const open = marketplaces?.filter(({ lane }) => lane !== 'closed')
  const fixed = isFixed(product)
  const later = fixed ? productRefusals.FIXED_IN_REVIEW.message : undefined
  const picture = form.values.image ?? (product?.imageId ? paths.image(product.imageId, 640) : null)
  return (
    <>
      {open?.length === 0 ? (
        <Alert tone="warning" className="mb-4" title="No marketplace is open yet">
          You can connect products once the club has listed a marketplace.
        </Alert>
      ) : null}
      <Field name="title" label="Product name" help={later ?? 'The name buyers see on the marketplace.'}>
        <Input maxLength={140} autoComplete="off" disabled={fixed} />
      </Field>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field name="category" label="Category" help={later}>
          <Select options={categoryOptions} placeholder="Select a category" disabled={fixed} />
        </Field>
        <Field name="priceCents" label="Price" optional help={later}>
          <PriceInput disabled={fixed} />
        </Field>
      </div>
      <Field
        name="couponLink"
        label="Coupon link"
        help={later ?? linkHelp(open)}
        aside={
          isDemo() && form.values.couponLink === '' ? (
            <Button
              variant="ghost"
              size="sm"
              className="-my-1.5"
              onClick={() => form.setValue('couponLink', exampleLink())}
            >
              Use an example
            </Button>
          ) : null
        }
        status={
          <LinkStatus
            marketplace={findMarketplace(form.values.couponLink, marketplaces)}
            endsRequest={endsRequest(product, form.values.couponLink, marketplaces)}
          />
        }
      >
        <Input
          type="url"
          inputMode="url"
          disabled={fixed}
          maxLength={couponLinkLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          leading={<Link2 aria-hidden="true" />}
          placeholder={open?.[0] ? `https://${open[0].host}/…` : 'https://…'}
        />
      </Field>
      <Field name="couponCents" label="Price with the coupon" optional help={later}>
        <Select options={couponOptions(form.values.couponLink, marketplaces)} disabled={fixed} />
      </Field>
      <Field
        name="description"
        label="Description"
        optional
        help="You can use Markdown: **bold**, _italic_, and lists with - in front. No links, no HTML."
      >
        <Textarea rows={4} maxLength={5000} placeholder="What do buyers get?" />
      </Field>
      <Field
        name="format"
        label="File format"
        optional
        help={later ?? 'Members who can’t use it aren’t asked to review the product.'}
      >
        <Select options={formatOptions} placeholder="Not stated" disabled={fixed} />
      </Field>
      <Field name="tags" label="Tags" optional>
        <TagsInput max={tagsLimit} placeholder="Press Enter after each tag" />
      </Field>
      <Field name="image" label="Picture" optional>
        <FileDrop
          accept={pictures}
          hint="JPG or PNG, under 2 MB"
          below={imageBytesLimit + 1}
          storedUrl={product?.imageId ? paths.image(product.imageId, 320) : null}
          refusals={{
            kind: productRefusals.UNSUPPORTED_IMAGE.message,
            size: productRefusals.IMAGE_TOO_LARGE.message,
          }}
        />
      </Field>
      {picture ? (
        <FocalPoint
          picture={picture}
          value={form.values.focus}
          onValueChange={(focus) => form.setValue('focus', focus)}
        />
      ) : null}
    </>
  )
}

const pictures = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }

const categoryOptions = categories.map((name) => ({
  value: name,
  label: categoryNames[name],
  icon: <CategoryIcon category={name} />,
}))

/** The prices that the link's marketplace allows, or those of all open ones while there is no link. */
function couponOptions(couponLink: string, marketplaces: readonly Marketplace[] | undefined) {
  const linked = findMarketplace(couponLink, marketplaces)
  const of = linked ? [linked] : (marketplaces?.filter(({ lane }) => lane !== 'closed') ?? [])
  const prices = [...new Set(of.flatMap(({ couponPrices }) => couponPrices))].toSorted((a, b) => a - b)
  return [
    { value: 'none', label: 'Not stated' },
    ...prices.map((cents) => ({ value: String(cents), label: formatMoney(cents) })),
  ]
}

/** A listing of the demo's shop that hardly anyone has connected yet. */
const exampleLink = () => demoCouponLink(String(100_000 + Math.floor(Math.random() * 900_000)))

function linkHelp(open: readonly Marketplace[] | undefined): string {
  const prices = [...new Set(open?.flatMap(({ couponPrices }) => couponPrices) ?? [])].toSorted(
    (a, b) => a - b,
  )
  if (prices.length === 0) return 'The link that applies your coupon at checkout.'
  const amounts = new Intl.ListFormat('en', { type: 'disjunction' }).format(
    prices.map((cents) => formatMoney(cents)),
  )
  return `The link that applies your coupon. With the coupon, the product must cost ${amounts}.`
}

/** Whether a request waits that ends with this link, since it names another listing. */
function endsRequest(
  product: Product | undefined,
  couponLink: string,
  marketplaces: readonly Marketplace[] | undefined,
): boolean {
  const waits = product?.request?.status === 'queued' || product?.request?.status === 'held'
  return waits && marketplaces !== undefined && !isSameListing(product.couponLink, couponLink, marketplaces)
}

type LinkStatusProps = { marketplace: Marketplace | null; endsRequest: boolean }

function LinkStatus({ marketplace, endsRequest: ends }: LinkStatusProps): ReactNode {
  if (!marketplace) return null
  if (marketplace.lane === 'closed')
    return <span className="font-medium text-warning-ink">{productRefusals.MARKETPLACE_CLOSED.message}</span>
  return (
    <span className="inline-flex items-center gap-1 font-medium text-success-ink">
      <BadgeCheck size={14} aria-hidden="true" />
      <span>
        {ends
          ? 'Verified Link. This is a different listing, so your review request will end.'
          : 'Verified Link'}
      </span>
    </span>
  )
}
