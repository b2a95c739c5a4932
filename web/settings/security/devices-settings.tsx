import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone, Tablet } from 'lucide-react'
import { useState } from 'react'
import type { Device } from '#contract/accounts.ts'
import { useLeaveBy } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { formatAgo, formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { showFailure, useFresh } from '#web/settings/fresh.tsx'
import { SettingsSection } from '#web/settings/settings-section.tsx'

/** /settings/devices: where the member is signed in, with buttons to sign out there. */
export function DevicesSettings() {
  const {
    data: devices,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(api.accounts.listDevices.queryOptions())
  return (
    <SettingsSection
      title="Devices"
      help="If you don’t recognize a device, sign it out and change your password."
    >
      <Card level={3} padding="none">
        {devices ? (
          <ul className="divide-y divide-line">
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
        ) : isError ? (
          <ErrorState
            level={3}
            title="Your devices could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
            error={error}
          />
        ) : (
          <DevicesSkeleton />
        )}
      </Card>
      {devices ? <SignOutButtons hasOthers={devices.some(({ current }) => !current)} /> : null}
    </SettingsSection>
  )
}

const icons = { desktop: Monitor, mobile: Smartphone, tablet: Tablet }

function DeviceRow({ device }: { device: Device }) {
  const { id, current, label, kind, address, signedInAt, lastSeenAt } = device
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const end = useMutation({
    mutationFn: () => fresh(() => client.accounts.endDevice({ id })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: api.accounts.listDevices.key() })
      toast({ title: 'Device signed out', description: label, tone: 'success' })
    },
    onError: (error) => showFailure(error, 'The device was not signed out'),
  })
  const Icon = icons[kind]
  return (
    <li className="flex items-start gap-4 px-5 py-4">
      <span
        aria-hidden="true"
        className={
          'flex size-9 shrink-0 items-center justify-center ' +
          'rounded-10 border border-line bg-sunken text-ink-2'
        }
      >
        <Icon size={18} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 font-medium text-ink">
          {label}
          {current ? <Badge tone="accent">This device</Badge> : null}
        </p>
        <p className="mt-0.5 text-13 text-pretty text-ink-2">
          {address ? `${address} · ` : ''}
          {current ? (
            'active now'
          ) : (
            <>
              last seen <time dateTime={lastSeenAt}>{formatAgo(lastSeenAt)}</time>
            </>
          )}
        </p>
        <p className="mt-0.5 text-12 text-ink-3">
          Signed in <time dateTime={signedInAt}>{formatDateTime(signedInAt)}</time>
        </p>
      </div>
      {current ? null : (
        <Button
          size="sm"
          busy={end.isPending}
          busyLabel="Signing out..."
          aria-label={`Sign out ${label}`}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
      {identityWindow}
    </li>
  )
}

function SignOutButtons({ hasOthers }: { hasOthers: boolean }) {
  const queryClient = useQueryClient()
  const leaveBy = useLeaveBy()
  const { fresh, identityWindow } = useFresh()
  const [asking, setAsking] = useState<'others' | 'all' | null>(null)
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        onClick={() => setAsking('others')}
        disabledReason={hasOthers ? null : 'You aren’t signed in anywhere else.'}
      >
        Sign out all other devices
      </Button>
      <Button variant="ghost" onClick={() => setAsking('all')}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={asking === 'others'}
        onOpenChange={() => setAsking(null)}
        title="Sign out all other devices?"
        description="You stay signed in here. Your other devices are signed out within seconds."
        confirmLabel="Sign out the others"
        busyLabel="Signing out..."
        onConfirm={async () => {
          await fresh(() => client.accounts.endOtherDevices())
          await queryClient.invalidateQueries({ queryKey: api.accounts.listDevices.key() })
          toast({ title: 'All other devices were signed out', tone: 'success' })
        }}
      >
        {identityWindow}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'all'}
        onOpenChange={() => setAsking(null)}
        title="Sign out everywhere?"
        description="This signs out every device, including this one."
        confirmLabel="Sign out everywhere"
        busyLabel="Signing out..."
        onConfirm={async () => {
          await fresh(() => leaveBy(() => client.accounts.endAllDevices()))
          toast({ title: 'You were signed out everywhere', tone: 'success' })
        }}
      >
        {identityWindow}
      </ConfirmDialog>
    </div>
  )
}

function DevicesSkeleton() {
  return (
    <Loading label="Loading devices" className="divide-y divide-line">
      {[0, 1].map((row) => (
        <div key={row} className="flex items-start gap-4 px-5 py-4">
          <Skeleton className="size-9 rounded-10" />
          <div className="flex flex-1 flex-col gap-2 py-0.5">
            <Skeleton className="h-4 w-44 max-w-full" />
            <Skeleton className="h-3.5 w-60 max-w-full" />
            <Skeleton className="h-3 w-52 max-w-full" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
