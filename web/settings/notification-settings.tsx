import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { noticeKinds } from '#contract/notifications.ts'
import type { NoticePreference } from '#contract/notifications.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Switch } from '#web/kit/ui/switch.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { MailList } from './mail-list.tsx'
import { PushSettings } from './push-settings.tsx'
import { SettingsSection } from './settings-section.tsx'

/** /settings/notifications: what we notify the member about, by channel. Each switch is saved at once. */
export function NotificationSettings() {
  const preferences = useQuery(api.notifications.listNoticePreferences.queryOptions())
  return (
    <SettingsSection title="Notifications" help="You choose what we notify you about, and how.">
      <Card
        level={3}
        padding="none"
        footer="To protect your account, we always email you about your sign-in, address and data."
      >
        {preferences.data ? (
          <Preferences preferences={preferences.data} />
        ) : preferences.isError ? (
          <ErrorState
            level={3}
            title="Your preferences could not be loaded"
            onRetry={() => void preferences.refetch()}
            retrying={preferences.isFetching}
            error={preferences.error}
          />
        ) : (
          <Loading label="Loading preferences" className="divide-y divide-line">
            {Object.keys(noticeKinds).map((kind) => (
              <div key={kind} className="flex items-center justify-between gap-6 px-5 py-4">
                <div className="flex flex-1 flex-col gap-2">
                  <Skeleton className="h-4 w-32" />
                  <Skeleton className="h-3.5 w-64 max-w-full" />
                </div>
                <Skeleton className="h-6 w-28 rounded-full" />
              </div>
            ))}
          </Loading>
        )}
      </Card>
      <PushSettings />
      <MailList />
    </SettingsSection>
  )
}

const channel = 'w-15 px-1.5 py-2.5 font-medium last:pr-5 sm:w-24 sm:px-4'
const cell = 'px-1.5 py-4 text-center last:pr-5 sm:px-4'

function Preferences({ preferences }: { preferences: readonly NoticePreference[] }) {
  const set = useSetPreference()
  const { data: push } = useQuery(api.notifications.getPush.queryOptions())
  // A club without keys for push messages does not mention them.
  const withPush = push?.publicKey != null
  const { data: me } = useQuery(meOptions())
  return (
    <table className="w-full">
      <caption className="sr-only">What we notify you about, by channel</caption>
      <thead className="border-b border-line text-12 text-ink-2">
        <tr>
          <th scope="col" className="px-5 py-2.5 text-left font-medium">
            About
          </th>
          <th scope="col" className={channel}>
            In the app
          </th>
          <th scope="col" className={channel}>
            By email
          </th>
          {withPush ? (
            <th scope="col" className={channel}>
              By push
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {preferences.map((preference) => {
          const { kind, inApp, byEmail, byPush } = preference
          const { title } = noticeKinds[kind]
          const isFree = kind === 'membership' && me?.payments === 'closed'
          const help = isFree ? 'It starts or ends.' : noticeKinds[kind].help
          return (
            <tr key={kind}>
              <th scope="row" className="py-4 pr-2 pl-5 text-left font-normal">
                <span className="block text-14 font-medium text-ink">{title}</span>
                <span className="block text-13 text-pretty text-ink-2">{help}</span>
              </th>
              <td className={cell}>
                <span className="flex justify-center">
                  <Switch
                    hideLabel
                    label={`${title} in the app`}
                    checked={inApp}
                    onCheckedChange={(next) => set({ ...preference, inApp: next })}
                  />
                </span>
              </td>
              <td className={cell}>
                <span className="flex justify-center">
                  <Switch
                    hideLabel
                    label={`${title} by email`}
                    checked={byEmail}
                    onCheckedChange={(next) => set({ ...preference, byEmail: next })}
                  />
                </span>
              </td>
              {withPush ? (
                <td className={cell}>
                  <span className="flex justify-center">
                    <Switch
                      hideLabel
                      label={`${title} by push`}
                      checked={byPush}
                      onCheckedChange={(next) => set({ ...preference, byPush: next })}
                    />
                  </span>
                </td>
              ) : null}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const savingKey = ['notifications', 'setNoticePreference']

/** Shows a changed preference at once, and restores the former one when the server does not save it. */
function useSetPreference(): (preference: NoticePreference) => void {
  const queryClient = useQueryClient()
  const queryKey = api.notifications.listNoticePreferences.queryKey()

  function show(preference: NoticePreference) {
    queryClient.setQueryData<NoticePreference[]>(queryKey, (shown) =>
      shown?.map((each) => (each.kind === preference.kind ? preference : each)),
    )
  }

  const { mutate } = useMutation({
    mutationKey: savingKey,
    // Sent one after the other, so that the last change arrives last.
    scope: { id: savingKey.join() },
    mutationFn: ({ preference }: { preference: NoticePreference; before: NoticePreference | undefined }) =>
      client.notifications.setNoticePreference(preference),
    onError: (error, { before }) => {
      if (before) show(before)
      toast({
        title: 'Your choice was not saved',
        description: failureOf(error).message,
        tone: 'danger',
      })
    },
    onSettled: () => {
      // Only after the last change, because an older answer would reset a newer switch.
      if (queryClient.isMutating({ mutationKey: savingKey }) <= 1) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })
  return (preference) => {
    const before = queryClient
      .getQueryData<NoticePreference[]>(queryKey)
      ?.find(({ kind }) => kind === preference.kind)
    void queryClient.cancelQueries({ queryKey })
    show(preference)
    mutate({ preference, before })
  }
}
