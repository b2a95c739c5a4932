import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { hours } from '#contract/format.ts'
import { takenBackHours } from '#contract/matching-rules.ts'
import { line } from '#contract/kit.ts'
import { shopNameLength } from '#contract/organization.ts'
import type { Shop } from '#contract/organization.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchOrganization } from './organization.ts'

type ShopDialogProps = { shop?: Shop; open: boolean; onOpenChange: (open: boolean) => void }

const fields = z.object({
  name: line(shopNameLength).refine(Boolean, 'Enter the name of your shop.'),
  address: line(300).refine(Boolean, 'Enter the address of your shop.'),
})

/** The name and address of my shop on a marketplace. */
export function ShopDialog({ shop, open, onOpenChange }: ShopDialogProps) {
  const refetch = useRefetchOrganization()
  const marketplaces = useQuery({ ...api.products.listMarketplaces.queryOptions(), enabled: open })
  const hosts = (marketplaces.data ?? []).filter(({ lane }) => lane !== 'closed').map(({ host }) => host)
  const title = shop ? 'Edit your shop' : 'Add your shop'
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <Form
        label={title}
        schema={fields}
        defaultValues={{ name: shop?.name ?? '', address: shop?.address ?? '' }}
        onSubmit={async (values) => {
          await client.organization.saveShop({ ...values, ...(shop ? { id: shop.id } : {}) })
          await refetch()
          onOpenChange(false)
          toast({ title: 'Shop saved', tone: 'success' })
        }}
      >
        <Field name="name" label="Name">
          <Input maxLength={shopNameLength} autoComplete="organization" />
        </Field>
        <Field
          name="address"
          label="Address on the marketplace"
          help={
            hosts.length > 0
              ? 'The page of your shop on ' +
                `${new Intl.ListFormat('en', { type: 'disjunction' }).format(hosts)}. We never open it.`
              : 'The page of your shop. We never open it.'
          }
        >
          <Input inputMode="url" autoComplete="url" autoCapitalize="none" spellCheck={false} />
        </Field>
        <p className="text-13 text-pretty text-ink-2">
          With a new address, all open offers, yours and those for your products, end without penalty. A
          request that loses its offer waits {hours(takenBackHours)}.
        </p>
        <DialogFooter>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <SubmitButton busyLabel="Saving...">Save</SubmitButton>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
