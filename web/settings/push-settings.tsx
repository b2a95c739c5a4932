import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellPlus, Monitor, Smartphone, Tablet } from 'lucide-react'
import { useState } from 'react'
import type { Push, PushDevice } from '#contract/notifications.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { PushNotAllowed, pushSupport, startPush, stopPush } from '#web/notifications/push-browser.ts'
import { FailedCard, LoadingCard } from './settings-section.tsx'

const title = 'Push messages'

/** The browsers in which the member gets push messages, and the switch for this one. */
export function PushSettings() {
  const {
    data: push,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(api.notifications.getPush.queryOptions())
  if (push) return push.publicKey === null ? null : <PushCard push={push} publicKey={push.publicKey} />
  if (!isError) return <LoadingCard title={title} />
  return (
    <FailedCard
      title={title}
      what="Your browsers could not be loaded"
      onRetry={() => void refetch()}
      retrying={isFetching}
      error={error}
    />
  )
}

function PushCard({ push: { devices }, publicKey }: { push: Push; publicKey: string }) {
  const isOnHere = devices.some(({ current }) => current)
  return (
    <Card
      level={3}
      title={title}
      help={
        'Your browser shows them while Evenhand is closed, so you see an offer in time. ' +
        'Choose above what they are about.'
      }
      padding="none"
      footer="Signing out ends them in that browser. You can turn off each kind from the message itself."
    >
      {isOnHere ? null : <StartHere publicKey={publicKey} />}
      {devices.length > 0 ? (
        <ul
          aria-label="Browsers that get push messages"
          className="divide-y divide-line border-t border-line first:border-t-0"
        >
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

const unsupported = {
  no: 'This browser can’t show push messages.',
  elsewhere: 'On this phone, first add Evenhand to your home screen (Share, then Add to Home Screen).',
  denied: 'Your browser blocks notifications from Evenhand. Allow them in its settings for this site.',
}

function StartHere({ publicKey }: { publicKey: string }) {
  const { data: me } = useQuery(meOptions())
  const refetch = useRefetch()
  const [support, setSupport] = useState(pushSupport)
  const start = useMutation({
    mutationFn: () => startPush(publicKey, me?.id ?? ''),
    onSuccess: async () => {
      await refetch()
      toast({ title: 'Push messages are on in this browser', tone: 'success' })
    },
    onError: (error) => {
      setSupport(pushSupport())
      toast({ title: 'Push messages are still off', description: whyNot(error), tone: 'danger' })
    },
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
      <p className="text-14 text-pretty text-ink-2">
        {support === 'yes' ? 'They are off in this browser.' : unsupported[support]}
      </p>
      <Button
        icon={<BellPlus />}
        busy={start.isPending}
        busyLabel="Switching on..."
        disabledReason={support === 'yes' ? null : unsupported[support]}
        onClick={() => start.mutate()}
      >
        Switch on here
      </Button>
    </div>
  )
}

function whyNot(error: unknown): string {
  if (error instanceof PushNotAllowed) return 'Your browser did not allow notifications from Evenhand.'
  // What the browser itself throws: it has no service to subscribe at, or cannot reach it now.
  if (error instanceof DOMException)
    return 'Your browser could not reach its push service. Private windows can’t; otherwise try again later.'
  return failureOf(error).message ?? 'Please try again.'
}

const icons = { desktop: Monitor, mobile: Smartphone, tablet: Tablet }

function DeviceRow({ device }: { device: PushDevice }) {
  const { id, current, label, kind, createdAt, deliveredAt } = device
  const refetch = useRefetch()
  const onError = (error: unknown) =>
    toast({ title: 'That did not work', description: failureOf(error).message, tone: 'danger' })
  const test = useMutation({
    mutationFn: () => client.notifications.testPush({ id }),
    onSuccess: () =>
      toast({
        title: 'Test message sent',
        description: 'It arrives within a minute. If not, look at the notification settings of your device.',
        tone: 'success',
      }),
    onError,
  })
  const end = useMutation({
    mutationFn: async () => {
      await client.notifications.removePushDevice({ id })
      // The server sends nothing there from now on, so a browser that cannot unsubscribe changes nothing.
      if (current) await stopPush().catch(() => undefined)
    },
    onSuccess: async () => {
      await refetch()
      toast({ title: 'Push messages are off', description: label })
    },
    onError,
  })
  const Icon = icons[kind]
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <span
        aria-hidden="true"
        className={
          'flex size-9 shrink-0 items-center justify-center ' +
          'rounded-10 border border-line bg-sunken text-ink-2'
        }
      >
        <Icon size={18} />
      </span>
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 font-medium text-ink">
          {label}
          {current ? <Badge tone="accent">This browser</Badge> : null}
        </p>
        <p className="mt-0.5 text-12 text-ink-3">
          On since <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
          {' · '}
          {deliveredAt ? (
            <>
              last message <time dateTime={deliveredAt}>{formatDateTime(deliveredAt)}</time>
            </>
          ) : (
            'no message yet'
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          busy={test.isPending}
          aria-label={`Send a test to ${label}`}
          onClick={() => test.mutate()}
        >
          Send a test
        </Button>
        <Button
          size="sm"
          variant="ghost"
          busy={end.isPending}
          aria-label={`Turn off on ${label}`}
          onClick={() => end.mutate()}
        >
          Turn off
        </Button>
      </div>
    </li>
  )
}

function useRefetch() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: api.notifications.getPush.key() })
}
