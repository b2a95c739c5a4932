import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useImperativeHandle, useRef, useState } from 'react'
import type { Ref } from 'react'
import { productRefusals } from '#contract/products.ts'
import type { Marketplace, ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { Form, FormRefusal, SubmitButton } from '#web/kit/form.tsx'
import type { FormFailure } from '#web/kit/form.tsx'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { useJustAppeared } from '#web/kit/ui/use-just-appeared.ts'
import { PolicyStep } from './policy-step.tsx'
import { findMarketplace, findProblem } from './product-checks.ts'
import { ProductFields } from './product-fields.tsx'
import { fieldOf, hasIssues, messageOf, refusalOf, withField } from './product-refusals.ts'
import { inputOf, pictureOf, productSchema, valuesOf } from './product-values.ts'
import type { PictureInput, ProductFormHandle, ProductInput, ProductValues } from './product-values.ts'

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

  // Before a reload, the browser itself asks.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => formState.current?.dirty === true || formState.current?.busy === true,
  })

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

  async function submit(values: ProductValues) {
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
      schema={productSchema}
      defaultValues={valuesOf(product)}
      onSubmit={submit}
      explain={explain}
    >
      {(form) => (
        <>
          <ReportState form={form} ref={formState} />
          <div hidden={step !== 'fields'}>
            <ProductFields form={form} product={product} marketplaces={marketplaces} />
          </div>
          {step === 'notice' ? (
            <PolicyStep form={form} marketplaces={marketplaces} onShown={onNotice} />
          ) : null}
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

function ReportState({ form: { dirty, busy }, ref }: { form: ProductFormHandle; ref: Ref<FormState> }) {
  useImperativeHandle(ref, () => ({ dirty, busy }), [dirty, busy])
  return null
}

function needsConsent({ lane, consented }: Marketplace): boolean {
  return lane !== 'closed' && !consented
}
