import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, Link2 } from 'lucide-react'
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { z } from 'zod'
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
import type { ImageFocus, Marketplace, ProductCard as Product, ProductFormat } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { Form, FormRefusal, SubmitButton } from '#web/kit/form.tsx'
import type { FormFailure, FormHandle } from '#web/kit/form.tsx'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryIcon } from '#web/kit/ui/category-badge.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { FileDrop } from '#web/kit/ui/file-drop.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { PriceInput } from '#web/kit/ui/price-input.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { TagsInput } from '#web/kit/ui/tags-input.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { useJustAppeared } from '#web/kit/ui/use-just-appeared.ts'
import { paths } from '#web/paths.ts'
import { FocalPoint } from './focal-point.tsx'
import { MarketplaceNotice } from '../marketplace-notice.tsx'
import { findMarketplace, findProblem, isSameListing } from './product-checks.ts'
import type { ProductProblem } from './product-checks.ts'

// `findProblem` checks the required fields, in a fixed order. This schema only has the remaining limits.
const schema = z.object({
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
type Values = z.infer<typeof schema>

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

type ProductFormDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  /** The product to change; undefined for a new one. */
  product?: Product
  submitLabel: string
  busyLabel: string
  /** Shown when saving fails for a reason without its own message. */
  failure: { title: string; message: string }
  /** Stores the product. An error is shown in the form, and everything typed stays. */
  onSave: (input: ProductInput, picture: PictureInput) => Promise<void>
}

/** A dialog with the form for a new or existing product. Asks before it discards what was typed. */
export function ProductFormDialog({ open, onClose, title, description, ...form }: ProductFormDialogProps) {
  const formState = useRef<FormState>(null)
  const [leaving, setLeaving] = useState(false)
  const [isAtNotice, setIsAtNotice] = useState(false)
  // The second tap on Connect was meant for the form, and must not answer the notice.
  const justAppeared = useJustAppeared(isAtNotice)

  function leave() {
    if (formState.current?.busy) return
    if (formState.current?.dirty) setLeaving(true)
    else onClose()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && leave()}
      title={title}
      description={description}
      ignoresInput={justAppeared && 'pointer'}
    >
      <ProductForm
        {...form}
        formState={formState}
        justAppeared={justAppeared}
        onNotice={setIsAtNotice}
        onLeave={leave}
      />
      <ConfirmDialog
        open={leaving}
        onOpenChange={setLeaving}
        title="Discard what you typed?"
        description="You haven’t saved it yet."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      />
    </Dialog>
  )
}

/** What the dialog needs to know about its form before it closes. */
type FormState = { dirty: boolean; busy: boolean }

type ProductFormProps = Pick<
  ProductFormDialogProps,
  'product' | 'submitLabel' | 'busyLabel' | 'failure' | 'onSave'
> & {
  formState: Ref<FormState>
  justAppeared: boolean
  /** Called with whether the notice of a marketplace is shown instead of the fields. */
  onNotice: (isShown: boolean) => void
  onLeave: () => void
}

function ProductForm({
  product,
  submitLabel,
  busyLabel,
  failure,
  onSave,
  formState,
  justAppeared,
  onNotice,
  onLeave,
}: ProductFormProps) {
  const queryClient = useQueryClient()
  const { data: marketplaces } = useQuery(api.products.listMarketplaces.queryOptions())
  const { data: mine = [] } = useQuery(api.products.listProducts.queryOptions())
  const consent = useMutation(api.products.consentToMarketplace.mutationOptions())
  const [step, setStep] = useState<'fields' | 'notice'>('fields')

  async function submit(values: Values) {
    const sameLink = values.couponLink.trim() === product?.couponLink
    const others = mine.filter(({ id }) => id !== product?.id)
    const problem = findProblem(values, sameLink ? undefined : marketplaces, others)
    if (problem && problem.code !== 'INVALID_LINK') throw refusalOf(problem)

    const marketplace = sameLink ? null : findMarketplace(values.couponLink, marketplaces)
    if (marketplace && needsConsent(marketplace)) {
      if (step === 'fields') {
        setStep('notice')
        // Nothing is saved yet, so what was typed still counts as that.
        throw new FormRefusal({})
      }
      if (justAppeared) throw new FormRefusal({})
      if (!values.consent)
        throw new FormRefusal({ fields: { consent: productRefusals.CONSENT_REQUIRED.message } })
      await consent.mutateAsync({ id: marketplace.id, policyVersion: marketplace.policyVersion })
      await refetchMarketplaces()
    }
    try {
      await onSave(inputOf(values), pictureOf(values, product))
    } catch (error) {
      // An invalid link is sent too, because the server records failed attempts. Its answer is not used.
      throw problem ? refusalOf(problem) : error
    }
  }

  function explain(error: unknown): FormFailure | null {
    if (error instanceof FormRefusal) return null
    const code = refusalCode(error)
    // These come with their field, as in every form.
    if (code && withField.has(code)) {
      setStep('fields')
      return null
    }
    if (code === 'CONSENT_REQUIRED' || code === 'CONFLICT') {
      void refetchMarketplaces()
      if (code === 'CONSENT_REQUIRED') setStep('notice')
      return messageOf(error, productRefusals.CONSENT_REQUIRED)
    }
    setStep('fields')
    const field = code === undefined ? undefined : fieldOf[code]
    if (field) {
      const refusal = messageOf(error, productRefusals[field.code])
      return { ...refusal, fields: { [field.name]: refusal.message } }
    }
    // Malformed values are shown at their fields, as in every form.
    if (hasIssues(error)) return null
    return { title: failure.title, message: refusalMessage(error, failure.message) }
  }

  function refetchMarketplaces() {
    return queryClient.invalidateQueries({ queryKey: api.products.listMarketplaces.key() })
  }

  return (
    <Form
      label={product ? 'Product' : 'New product'}
      schema={schema}
      defaultValues={valuesOf(product)}
      onSubmit={submit}
      explain={explain}
    >
      {(form) => (
        <>
          <ReportState form={form} ref={formState} />
          <div hidden={step !== 'fields'}>
            <Fields form={form} product={product} marketplaces={marketplaces} />
          </div>
          {step === 'notice' ? <Notice form={form} marketplaces={marketplaces} onShown={onNotice} /> : null}
          <DialogFooter>
            {step === 'notice' ? (
              <Button onClick={() => setStep('fields')} disabled={form.busy}>
                Back
              </Button>
            ) : (
              <Button onClick={onLeave} disabled={form.busy}>
                Cancel
              </Button>
            )}
            <SubmitButton busyLabel={busyLabel}>{submitLabel}</SubmitButton>
          </DialogFooter>
        </>
      )}
    </Form>
  )
}

type Handle = FormHandle<typeof schema>

function ReportState({ form: { dirty, busy }, ref }: { form: Handle; ref: Ref<FormState> }) {
  useImperativeHandle(ref, () => ({ dirty, busy }), [dirty, busy])
  return null
}

const formatOptions = [
  { value: 'none', label: 'Not stated' },
  ...productFormats.map((format) => ({ value: format, label: formatNames[format] })),
]

type FieldsProps = { form: Handle; product?: Product; marketplaces: readonly Marketplace[] | undefined }

/** Whether a member was offered the product or reviews it, so that what they were offered cannot change. */
function isFixed(product: Product | undefined): boolean {
  return product?.request?.status === 'offered' || product?.request?.status === 'in_review'
}

function Fields({ form, product, marketplaces }: FieldsProps) {
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

type NoticeProps = Pick<FieldsProps, 'form' | 'marketplaces'> & { onShown: (isShown: boolean) => void }

function Notice({ form, marketplaces, onShown }: NoticeProps) {
  const marketplace = findMarketplace(form.values.couponLink, marketplaces)
  // Before the next press can arrive. The dialog around the form is closed and opened by others.
  useLayoutEffect(() => {
    onShown(true)
    return () => onShown(false)
  }, [onShown])
  if (!marketplace) return null
  return (
    <section aria-labelledby="marketplace-notice">
      <h3
        id="marketplace-notice"
        tabIndex={-1}
        // The button that had the focus is no longer on the page, so the focus moves to this heading.
        ref={focusOnce}
        className="mb-3 text-16 font-semibold text-ink"
      >
        Before you connect a product on {marketplace.name}
      </h3>
      <MarketplaceNotice marketplace={marketplace} />
      <div className="mt-5 rounded-10 border border-line bg-sunken px-3.5 py-3">
        <Checkbox
          name="consent"
          label={`I have read what ${marketplace.name} says about exchanged reviews`}
          help="We ask once, and again only when the policy changes."
        />
      </div>
    </section>
  )
}

function focusOnce(heading: HTMLElement | null) {
  heading?.focus()
}

function valuesOf(product: Product | undefined): Values {
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

function inputOf({
  title,
  category,
  format,
  couponLink,
  priceCents,
  couponCents,
  description,
  tags,
}: Values): ProductInput {
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
function pictureOf({ image, focus }: Values, product: Product | undefined): PictureInput {
  const before = image || !product?.imageId ? middle : product.imageFocus
  const hasPicture = image !== null || Boolean(product?.imageId)
  const isMoved = focus.x !== before.x || focus.y !== before.y
  return { image, focus: hasPicture && isMoved ? focus : null }
}

const withField = new Set(['FIXED_IN_REVIEW', 'DESCRIPTION_LINK', 'DESCRIPTION_HTML', 'COUPON_PRICE'])

function needsConsent({ lane, consented }: Marketplace): boolean {
  return lane !== 'closed' && !consented
}

const fieldOf: Partial<Record<string, { code: keyof typeof productRefusals & Titled; name: keyof Values }>> =
  {
    NAME_REQUIRED: { code: 'NAME_REQUIRED', name: 'title' },
    CATEGORY_REQUIRED: { code: 'CATEGORY_REQUIRED', name: 'category' },
    INVALID_LINK: { code: 'INVALID_LINK', name: 'couponLink' },
    DUPLICATE_PRODUCT: { code: 'DUPLICATE_PRODUCT', name: 'couponLink' },
    LISTING_NOT_YOURS: { code: 'LISTING_NOT_YOURS', name: 'couponLink' },
    LISTING_TAKEN: { code: 'LISTING_TAKEN', name: 'couponLink' },
    MARKETPLACE_CLOSED: { code: 'MARKETPLACE_CLOSED', name: 'couponLink' },
  }
type Titled = ProductProblem['code'] | 'LISTING_NOT_YOURS' | 'LISTING_TAKEN' | 'MARKETPLACE_CLOSED'

function refusalOf({ title, message, field, advice }: ProductProblem): FormRefusal {
  return new FormRefusal({ title, message, fields: { [field]: advice ?? message } })
}

/**
 * The title and message of a refusal. The server's text may name the marketplace; the fallback is the
 * contract's.
 */
function messageOf(error: unknown, fallback: { title: string; message: string }) {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : null
  const title =
    typeof data === 'object' && data !== null && 'title' in data && typeof data.title === 'string'
      ? data.title
      : fallback.title
  return { title, message: refusalMessage(error, fallback.message) }
}

function hasIssues(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'data' in error &&
    typeof error.data === 'object' &&
    error.data !== null &&
    'issues' in error.data
  )
}
