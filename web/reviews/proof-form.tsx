import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isOrderNumber, proofBytesLimit, proofKeptDays, reviewRefusals } from '#contract/reviews.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { FileDrop, proofFiles } from '#web/kit/ui/file-drop.tsx'
import { FilePicture } from '#web/kit/ui/file-picture.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { formatMoney } from '#web/kit/time.ts'
import { uploadProof } from './proof-upload.ts'

type Problems = { orderId?: string; file?: string; paid?: string }

/** Asks for proof of purchase: an order number, or a picture or PDF of the receipt, and the price paid. */
export function ProofForm({ review, onProved }: { review: ReviewWorkspace; onProved?: () => void }) {
  const queries = useQueryClient()
  const { couponPrices, name } = review.marketplace
  const [kind, setKind] = useState<'order' | 'file'>('order')
  const [orderId, setOrderId] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const stated = review.product.couponCents ?? (couponPrices.length === 1 ? couponPrices[0] : undefined)
  const [paid, setPaid] = useState<string | null>(stated === undefined ? null : String(stated))
  const [problems, setProblems] = useState<Problems>({})
  const [progress, setProgress] = useState<number | null>(null)

  const prove = useMutation({
    mutationFn: async (paidCents: number) => {
      if (kind === 'order') {
        await client.reviews.proveByOrder({ id: review.id, orderId: digitsOf(orderId), paidCents })
      } else if (file) {
        setProgress(0)
        await uploadProof({ id: review.id, file, paidCents }, setProgress)
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: api.reviews.key() })
      onProved?.()
      toast(
        review.proof
          ? { title: 'Proof replaced', tone: 'success' }
          : {
              title: 'Proof accepted',
              description: 'Now use the product, then write your review.',
              tone: 'success',
            },
      )
    },
    onError: (error) => setProblems(problemsOf(error)),
    onSettled: () => setProgress(null),
  })

  function submit() {
    if (prove.isPending) return
    const found: Problems = {}
    if (kind === 'order' && !isOrderNumber(digitsOf(orderId))) {
      found.orderId = reviewRefusals.INVALID_ORDER_ID.message
    }
    if (kind === 'file' && !file) found.file = 'No file is chosen yet.'
    if (paid === null) found.paid = reviewRefusals.INVALID_PRICE.message
    setProblems(found)
    if (Object.keys(found).length === 0 && paid !== null) prove.mutate(Number(paid))
  }

  const fallback = 'The proof could not be sent. Nothing was lost. Please try again.'
  const isShownAtField = Object.keys(problems).length > 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Tabs
        label="Kind of proof"
        tabs={[
          { value: 'order', label: 'Order number' },
          { value: 'file', label: 'Screenshot or PDF' },
        ]}
        value={kind}
        onValueChange={(next) => {
          setKind(next)
          setProblems({})
          prove.reset()
        }}
      >
        {kind === 'order' ? (
          <Field
            label="Order number"
            help={`It’s in the confirmation from ${name} and in your purchases there.`}
            error={problems.orderId}
          >
            <Input
              value={orderId}
              onValueChange={setOrderId}
              inputMode="numeric"
              autoComplete="off"
              maxLength={60}
              className="max-w-xs tabular"
            />
          </Field>
        ) : (
          <Field
            label="Screenshot or PDF of the receipt"
            help={
              'Show the product, the date and the price, and cover your address. Only our staff can see ' +
              `it, and we delete it ${proofKeptDays} days after the review is final.`
            }
            error={problems.file}
          >
            <FileDrop
              accept={proofFiles}
              hint="JPG, PNG or PDF, under 2 MB"
              below={proofBytesLimit + 1}
              refusals={{
                kind: reviewRefusals.PROOF_UNSUPPORTED.message,
                size: reviewRefusals.PROOF_TOO_LARGE.message,
              }}
              value={file}
              onValueChange={(next) => {
                setFile(next)
                setProblems({})
              }}
              progress={progress}
            />
            {file ? <Preview key={`${file.name} ${file.lastModified}`} file={file} /> : null}
          </Field>
        )}
      </Tabs>
      <Field label="What did you pay?" error={problems.paid}>
        <RadioGroup
          options={couponPrices
            .toSorted((a, b) => a - b)
            .map((cents) => ({ value: String(cents), label: formatMoney(cents) }))}
          value={paid}
          onValueChange={setPaid}
          className="flex-row! gap-6!"
        />
      </Field>
      {prove.isError && !isShownAtField ? (
        <Alert tone="danger" className="mb-4">
          {refusalMessage(prove.error, fallback)}
        </Alert>
      ) : null}
      <Button
        type="submit"
        variant="primary"
        busy={prove.isPending}
        busyLabel={kind === 'file' ? 'Uploading...' : 'Sending...'}
      >
        Submit proof
      </Button>
    </form>
  )
}

/** Marketplaces write order numbers as '#123 456' or '123-456'. Only the digits count. */
function digitsOf(text: string): string {
  return text.replace(/[\s#-]/g, '')
}

const fieldOf: Record<string, keyof Problems> = {
  INVALID_ORDER_ID: 'orderId',
  ORDER_ID_USED: 'orderId',
  ORDER_ID_QUOTA: 'orderId',
  INVALID_PRICE: 'paid',
  PROOF_USED: 'file',
  PROOF_UNSUPPORTED: 'file',
  PROOF_TOO_LARGE: 'file',
  PROOF_UNREADABLE: 'file',
}

function problemsOf(error: unknown): Problems {
  const field = fieldOf[refusalCode(error) ?? '']
  return field ? { [field]: refusalMessage(error, '') } : {}
}

/** The picture, large enough to check that it is readable. */
function Preview({ file }: { file: File }) {
  if (!file.type.startsWith('image/')) return null
  return (
    <FilePicture
      file={file}
      alt="Your screenshot"
      className="mt-2 max-h-72 w-fit max-w-full rounded-8 border border-line object-contain"
    />
  )
}
