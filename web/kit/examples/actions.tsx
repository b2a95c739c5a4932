import { ArrowRight, Copy, Ellipsis, ExternalLink, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { Menu } from '#web/kit/ui/menu.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { Tooltip } from '#web/kit/ui/tooltip.tsx'
import { Example } from './example.tsx'

/** Buttons, menus, dialogs and toasts. */
export function Actions() {
  return (
    <>
      <Example name="Button">
        <Button variant="primary">Get Reviewed</Button>
        <Button>Edit product</Button>
        <Button variant="ghost">Cancel</Button>
        <Button variant="danger">Delete</Button>
        <Button variant="primary" icon={<Plus />}>
          Add Product
        </Button>
        <Button trailingIcon={<ArrowRight />}>See all</Button>
        <Button variant="primary" busy busyLabel="Saving...">
          Save
        </Button>
        <Button busy busyLabel="Finding reviewer...">
          Get Reviewed
        </Button>
        <Button variant="primary" disabledReason="Confirm your email first. We sent you a link.">
          Not yet
        </Button>
        <Button disabledReason="You can ask again on Nov 24.">Get Reviewed</Button>
        <Button variant="ghost" disabledReason="Only the seller may do this.">
          Withdraw
        </Button>
        <Button variant="danger" disabled>
          Delete
        </Button>
      </Example>
      <Example name="Button sizes">
        <Button size="sm" variant="primary">
          Small
        </Button>
        <Button variant="primary">Medium</Button>
        <Button size="lg" variant="primary">
          Large
        </Button>
        <Button size="sm" icon={<Copy />}>
          Small
        </Button>
        <Button icon={<Copy />}>Medium</Button>
        <Button size="lg" icon={<Copy />}>
          Large
        </Button>
      </Example>
      <Example name="Icon button, link button, text link, tooltip">
        <IconButton label="Edit" icon={<Pencil />} />
        <IconButton label="Copy" variant="secondary" icon={<Copy />} />
        <IconButton label="Delete" size="sm" icon={<Trash2 />} disabledReason="It is in review." />
        <IconButton label="Saving" busy icon={<Pencil />} />
        <LinkButton href="#kit">Go to Dashboard</LinkButton>
        <LinkButton href="https://example.com" external trailingIcon={<ExternalLink />}>
          View on marketplace
        </LinkButton>
        <p>
          Read <TextLink href="#kit">the published rules</TextLink> first.
        </p>
        <Tooltip content="Third in the queue. Usually 20 minutes.">
          <Button>Hover or focus me</Button>
        </Tooltip>
      </Example>
      <Example name="Menu">
        <Menu
          trigger={<Button icon={<Ellipsis />}>Product menu</Button>}
          items={[
            { label: 'View Details', icon: <ExternalLink />, onSelect: () => toast({ title: 'Opened' }) },
            { label: 'Edit Asset', icon: <Pencil />, onSelect: () => toast({ title: 'Editing' }) },
            { label: 'Rules', icon: <ArrowRight />, href: '#kit' },
            'separator',
            { label: 'Archive', icon: <Copy />, disabledReason: 'It is in review until Nov 24.' },
            {
              label: 'Delete',
              icon: <Trash2 />,
              tone: 'danger',
              onSelect: () => toast({ title: 'Deleted' }),
            },
          ]}
        />
      </Example>
      <Dialogs />
      <Toasts />
    </>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'plain' | 'form' | 'blocking' | 'confirm' | 'failing' | null>(null)
  const close = () => setOpen(null)
  return (
    <Example name="Dialog and confirm dialog">
      <Button onClick={() => setOpen('plain')}>Dialog</Button>
      <Button onClick={() => setOpen('form')}>Dialog with a field</Button>
      <Button onClick={() => setOpen('blocking')}>Blocking dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Confirm dialog</Button>
      <Button onClick={() => setOpen('failing')}>Confirm that fails</Button>
      <Dialog
        open={open === 'plain'}
        onOpenChange={close}
        title="Weekly planner, printable"
        description="A4 and US Letter, twelve layouts, undated."
        aside={<span className="text-13 text-ink-2">29:14</span>}
      >
        <p className="text-14 text-ink-2">
          Buy it with the coupon, use it, and write an honest review within 7 days. The review says that you
          received it through a review exchange.
        </p>
        <DialogFooter>
          <Button onClick={close}>Decline</Button>
          <Button variant="primary" onClick={close}>
            Accept
          </Button>
        </DialogFooter>
      </Dialog>
      <Dialog open={open === 'form'} onOpenChange={close} size="sm" title="Rename product">
        <Field label="Product name" help="As it is on the marketplace.">
          <Input defaultValue="Weekly planner" />
        </Field>
        <DialogFooter>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" onClick={close}>
            Save
          </Button>
        </DialogFooter>
      </Dialog>
      <Dialog
        open={open === 'blocking'}
        blocking
        title="Choose your username"
        description="This will appear on your profile and activity."
        size="sm"
      >
        <Field label="Username" help="3–20 characters, letters, numbers, - and _" status="Looks great!">
          <Input autoComplete="username" defaultValue="ada" />
        </Field>
        <DialogFooter>
          <Button variant="primary" onClick={close}>
            Save
          </Button>
        </DialogFooter>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onOpenChange={close}
        title="Delete “Weekly planner”?"
        description="Its open request is withdrawn. Reviews it received stay in your history."
        confirmLabel="Delete product"
        onConfirm={() => undefined}
      />
      <ConfirmDialog
        open={open === 'failing'}
        onOpenChange={close}
        title="Pause your membership?"
        description="For up to 30 days. You get no new reviews and owe none."
        confirmLabel="Pause"
        tone="primary"
        onConfirm={() => Promise.reject(new Error('You still owe a review. Write it first.'))}
      />
    </Example>
  )
}

function Toasts() {
  return (
    <Example name="Toast" help="4 s; it waits while hovered or focused.">
      <Button onClick={() => toast({ title: 'Logged out successfully' })}>Neutral</Button>
      <Button
        onClick={() =>
          toast({
            title: 'Review Requested',
            description: 'Finding a reviewer for your product...',
            tone: 'success',
          })
        }
      >
        Success
      </Button>
      <Button
        onClick={() =>
          toast({
            title: 'An offer is waiting',
            description: 'Answer it within 30 minutes.',
            tone: 'info',
            action: { label: 'Open', onClick: () => undefined },
          })
        }
      >
        Info with action
      </Button>
      <Button
        onClick={() => toast({ title: 'Slow down', description: 'Try again in a minute.', tone: 'warning' })}
      >
        Warning
      </Button>
      <Button
        onClick={() =>
          toast({
            title: 'Error',
            description: 'Failed to request review. Please try again.',
            tone: 'danger',
          })
        }
      >
        Danger
      </Button>
    </Example>
  )
}
