import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { line } from '#contract/kit.ts'
import { passkeyNameLength, passkeysMost, signInRefusals } from '#contract/sign-in.ts'
import type { Passkey, Security } from '#contract/sign-in.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDate } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { addPasskey, canMakePasskeys, isPasskeyKnown } from '#web/sign-in/passkey-calls.ts'
import { useFresh } from '#web/settings/fresh.tsx'

/** Lists, adds, renames and removes the member's passkeys. */
export function PasskeySettings({ security }: { security: Security }) {
  const { passkeys } = security
  const [isAdding, setAdding] = useState(false)
  const why = canMakePasskeys()
    ? passkeys.length >= passkeysMost
      ? signInRefusals.TOO_MANY_PASSKEYS.message
      : null
    : 'This browser can’t create passkeys.'
  return (
    <Card
      level={3}
      title="Passkeys"
      help="Sign in with your fingerprint, face or screen lock. There is no password to remember."
    >
      {passkeys.length > 0 ? (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} security={security} />
          ))}
        </ul>
      ) : null}
      <Button icon={<Plus />} onClick={() => setAdding(true)} disabledReason={why}>
        Add a passkey
      </Button>
      <AddDialog open={isAdding} onClose={() => setAdding(false)} />
    </Card>
  )
}

function PasskeyRow({ passkey, security }: { passkey: Passkey; security: Security }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { hasPassword, provider, passkeys } = security
  const isOnlySignInMethod = !hasPassword && provider?.connectedAt == null && passkeys.length === 1
  return (
    <li className="flex items-center gap-3.5 py-3">
      <Fingerprint size={18} aria-hidden="true" className="shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium text-ink">{passkey.name}</p>
        <p className="text-12 text-ink-3">
          Added <time dateTime={passkey.createdAt}>{formatDate(passkey.createdAt)}</time>
          {' · '}
          {passkey.lastUsedAt ? (
            <>
              last used <time dateTime={passkey.lastUsedAt}>{formatDate(passkey.lastUsedAt)}</time>
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <IconButton
        label={`Rename ${passkey.name}`}
        icon={<Pencil size={16} />}
        onClick={() => setOpen('rename')}
      />
      <IconButton
        label={`Remove ${passkey.name}`}
        icon={<Trash2 size={16} />}
        onClick={() => setOpen('remove')}
        disabledReason={isOnlySignInMethod ? 'This is your only way to sign in. Set a password first.' : null}
      />
      <RenameDialog open={open === 'rename'} passkey={passkey} onClose={() => setOpen(null)} />
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={() => setOpen(null)}
        title={`Remove “${passkey.name}”?`}
        description="You can no longer sign in with it. Delete it on your device too."
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={async () => {
          await fresh(() => client.signIn.removePasskey({ id: passkey.id }))
          await refetch(queryClient)
          toast({ title: 'Passkey removed', tone: 'success' })
        }}
      >
        {identityWindow}
      </ConfirmDialog>
    </li>
  )
}

const naming = z.object({ name: line(passkeyNameLength.max, passkeyNameLength.min) })

type RenameDialogProps = { open: boolean; passkey: Passkey; onClose: () => void }

function RenameDialog({ open, passkey, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient()
  return (
    <Dialog open={open} onOpenChange={onClose} size="sm" title="Rename passkey">
      <Form
        label="Rename passkey"
        schema={naming}
        defaultValues={{ name: passkey.name }}
        onSubmit={async ({ name }) => {
          await client.signIn.renamePasskey({ id: passkey.id, name })
          await refetch(queryClient)
          onClose()
          toast({ title: 'Passkey renamed', tone: 'success' })
        }}
      >
        {({ values }) => (
          <>
            <Field name="name" label="Name">
              <Input maxLength={passkeyNameLength.max} />
            </Field>
            <DialogFooter>
              <Button onClick={onClose}>Cancel</Button>
              <SubmitButton busyLabel="Saving..." disabled={values.name.trim() === ''}>
                Save
              </SubmitButton>
            </DialogFooter>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function AddDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const add = useMutation({ mutationFn: (name: string) => fresh(() => addPasskey(name)) })
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      busy={add.isPending}
      size="sm"
      title="Add a passkey"
      description="Give it a name that says which device it’s on. Your device will ask you to confirm."
    >
      <Form
        label="Add a passkey"
        schema={naming}
        defaultValues={{ name: thisDevice() }}
        onSubmit={async ({ name }) => {
          if (!(await add.mutateAsync(name))) return
          await refetch(queryClient)
          onClose()
          toast({
            title: 'Passkey added',
            description: `You can now sign in with “${name}”.`,
            tone: 'success',
          })
        }}
        explain={(error) =>
          isPasskeyKnown(error) ? { message: 'This device already has a passkey for your account.' } : null
        }
      >
        {({ values }) => (
          <>
            <Field name="name" label="Name">
              <Input maxLength={passkeyNameLength.max} />
            </Field>
            <DialogFooter>
              <SubmitButton busyLabel="Waiting for your device…" disabled={values.name.trim() === ''}>
                Continue
              </SubmitButton>
            </DialogFooter>
          </>
        )}
      </Form>
      {identityWindow}
    </Dialog>
  )
}

/** A suggested name, from the browser's user agent. */
function thisDevice(): string {
  const known = [
    ['iPhone', /iPhone/],
    ['iPad', /iPad/],
    ['Android', /Android/],
    ['Mac', /Macintosh/],
    ['Windows', /Windows/],
    ['Linux', /Linux/],
  ] as const
  return `My ${known.find(([, pattern]) => pattern.test(navigator.userAgent))?.[0] ?? 'device'}`
}

function refetch(queryClient: ReturnType<typeof useQueryClient>) {
  return queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
}
