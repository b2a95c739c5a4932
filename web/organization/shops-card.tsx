import { Store } from 'lucide-react'
import { useState } from 'react'
import { declarationEndDays } from '#contract/organization.ts'
import type { Organization, Shop } from '#contract/organization.ts'
import { client } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { fullReason, useChangeOfOrganization } from './organization.ts'
import { ShopDialog } from './shop-dialog.tsx'

/** My shops, one on each marketplace, and the former addresses that still bind. */
export function ShopsCard({ organization }: { organization: Organization }) {
  const [isAdding, setAdding] = useState(false)
  const { shops, declarations } = organization
  const former = declarations.filter(({ kind }) => kind === 'former_shop')
  const isFree = shops.length + former.length === 0
  return (
    <Card
      title="Your shop"
      help="One on each marketplace. You’re never matched with a member who has the same one."
      padding="none"
      action={
        <Button
          size="sm"
          aria-label="Add a shop"
          disabledReason={isFree ? null : fullReason(organization)}
          onClick={() => setAdding(true)}
        >
          Add
        </Button>
      }
    >
      {shops.length + former.length === 0 ? (
        <p className="flex items-center gap-3 px-5 py-6 text-14 text-pretty text-ink-2">
          <Store size={20} aria-hidden="true" className="shrink-0 text-ink-3" />
          Add your shop’s name and address. Members never see them; a competitor may name the address.
        </p>
      ) : (
        <ul aria-label="Your shops" className="divide-y divide-line">
          {shops.map((shop) => (
            <ShopRow key={shop.id} shop={shop} />
          ))}
          {former.map(({ id, namedAs, endsAt }) => (
            <li key={id} className="px-5 py-4">
              <p className="text-14 wrap-anywhere text-ink-2">{namedAs}</p>
              <p className="mt-0.5 text-13 text-ink-2">
                Former address, counts until <time dateTime={endsAt ?? ''}>{formatDate(endsAt ?? '')}</time>
              </p>
            </li>
          ))}
        </ul>
      )}
      <ShopDialog open={isAdding} onOpenChange={setAdding} />
    </Card>
  )
}

function ShopRow({ shop }: { shop: Shop }) {
  const { id, name, address, marketplaceName } = shop
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const onOpenChange = (isOpen: boolean) => setOpen((was) => (isOpen ? was : null))
  const remove = useChangeOfOrganization(() => client.organization.removeShop({ id }), 'Shop removed')
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0">
        <p className="text-14 font-medium wrap-anywhere text-ink">{name}</p>
        <p className="mt-0.5 text-13 wrap-anywhere text-ink-2">{address}</p>
        <p className="mt-0.5 text-13 text-ink-3">On {marketplaceName}</p>
      </div>
      <div className="flex gap-1">
        <Button size="sm" aria-label={`Edit ${name}`} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      </div>
      <ShopDialog shop={shop} open={open === 'edit'} onOpenChange={onOpenChange} />
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={onOpenChange}
        title={`Remove ${name}?`}
        description={`Its address counts for ${declarationEndDays} more days.`}
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync(undefined)}
      />
    </li>
  )
}
