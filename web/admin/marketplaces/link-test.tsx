import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { linkEntry } from '#contract/staff/marketplaces.ts'
import type { LinkReading } from '#contract/staff/marketplaces.ts'
import type { z } from 'zod'
import { failureOf } from '#web/kit/form-failure.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { staffApi } from '../api.ts'

type LinkTestProps = { id: string | null; entry: z.input<typeof linkEntry> }

/** Asks the product's own reader how it would read a link, with the entry as it is typed. */
export function LinkTest({ id, entry }: LinkTestProps) {
  const [link, setLink] = useState('')
  const reading = useMutation(staffApi.marketplaces.readTestLink.mutationOptions())
  const checked = linkEntry.safeParse(entry)

  function test() {
    if (!checked.success || link.trim() === '') return
    reading.mutate({ entry: checked.data, link, ...(id === null ? {} : { id }) })
  }

  return (
    <div className="rounded-10 border border-line bg-canvas p-4">
      <div className="flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <Field label="How would this link be read?" noErrorLine className="flex-1">
          <Input
            value={link}
            onValueChange={setLink}
            placeholder="https://"
            autoComplete="off"
            inputMode="url"
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter reads the link; it does not submit the form around it.
              event.preventDefault()
              test()
            }}
          />
        </Field>
        <Button onClick={test} busy={reading.isPending} disabled={link.trim() === '' || !checked.success}>
          Read the link
        </Button>
      </div>
      <div aria-live="polite" className="mt-3 empty:mt-0">
        {checked.success ? null : (
          <p className="text-13 text-ink-2">Fill in the host and how links are read first.</p>
        )}
        {reading.isError ? <Alert tone="danger">{failureOf(reading.error).message}</Alert> : null}
        {reading.data ? <Reading {...reading.data} /> : null}
      </div>
    </div>
  )
}

function Reading({ host, listing, coupon, link, marketplace, refusal }: LinkReading) {
  const facts = [
    ['Host', host],
    ['Marketplace', marketplace],
    ['Listing', listing],
    ['Coupon', coupon],
    ['Kept as', link],
  ].filter(([, value]) => value !== null)
  return (
    <div className="flex flex-col gap-3">
      {refusal ? (
        <Alert tone="warning" title={refusal.title}>
          <p>{refusal.message}</p>
          <p className="mt-1 text-ink">{refusal.cause}</p>
        </Alert>
      ) : (
        <Alert tone="success" title="This link is accepted" />
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-13">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="font-mono wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
