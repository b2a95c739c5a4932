import { Autocomplete } from '@base-ui/react/autocomplete'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { BookOpen, CircleQuestionMark, FileText, Package, PenLine, Search, Star, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMemo, useRef } from 'react'
import { reviewTags } from '#contract/reviews.ts'
import type { ReviewStatus } from '#contract/reviews.ts'
import { searchDelay, searchLength } from '#contract/search.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { pause } from '#web/kit/pause.ts'
import { Avatar } from '#web/kit/ui/avatar.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { useSignOut } from '#web/sign-in/sign-out.ts'
import { isScreen } from './router-link.tsx'
import { keepOpened, rank, readOpened } from './search-ranking.ts'
import type { Group, Hit } from './search-ranking.ts'

type SearchDialogProps = {
  text: string
  onText: (text: string) => void
  /** Called when the input has the focus and receives what is typed. */
  onReady: () => void
  onClose: () => void
}

/**
 * Finds the member's products and reviews, other members, actions, pages and texts. What the browser knows is
 * there at once; the server is asked when typing pauses. At first it shows what was opened last.
 */
export function SearchDialog({ text, onText, onReady, onClose }: SearchDialogProps) {
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const { data: me } = useQuery(meOptions())
  const found = useFound(text)
  const texts = useTexts()
  const actions = useActions({ isPaid: me?.payments !== 'closed' })
  const recent = useMemo(() => readOpened(me?.id ?? ''), [me?.id])
  const groups = rank(
    text,
    [...found.groups, { value: 'Actions', items: actions }, pagesGroup, ...texts],
    recent,
  )

  function follow(hit: Hit) {
    onClose()
    if (hit.run) return hit.run()
    if (me) keepOpened(me.id, hit.href)
    if (isScreen(hit.href)) void router.navigate({ href: hit.href })
    else location.assign(hit.href)
  }

  return (
    <Dialog open onOpenChange={onClose} title="Search" initialFocus={input}>
      <Autocomplete.Root
        inline
        open
        items={groups}
        value={text}
        onValueChange={onText}
        filter={null}
        itemToStringValue={(hit: Hit) => hit.label}
        autoHighlight="always"
        keepHighlight
      >
        <div className="relative">
          <Search
            size={16}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
          />
          <Autocomplete.Input
            ref={input}
            onFocus={onReady}
            maxLength={searchLength}
            aria-label="Search"
            placeholder="Search digital assets, reviews, creators..."
            className="control h-11 pr-3 pl-9"
          />
        </div>
        <Autocomplete.List className="-mx-2 mt-3 h-[min(22rem,50dvh)] overflow-y-auto">
          {(group: Group) => (
            <Autocomplete.Group key={group.value} items={group.items} className="pb-2">
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-12 font-medium text-ink-3">
                {group.value}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(hit: Hit) => (
                  <Autocomplete.Item
                    key={hit.id}
                    value={hit}
                    onClick={() => follow(hit)}
                    className={
                      'flex min-h-9 cursor-default items-center gap-3 rounded-6 px-2.5 py-1.5 text-14 ' +
                      'text-ink outline-none select-none data-highlighted:bg-pressed ' +
                      'pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3'
                    }
                  >
                    {hit.icon}
                    <span className="min-w-0 flex-1 truncate">
                      {hit.label}
                      {hit.excerpt ? <span className="text-12 text-ink-3"> · …{hit.excerpt}…</span> : null}
                    </span>
                    <span className="shrink-0 text-12 text-ink-2">{hit.hint}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Empty
          className={
            '-mt-[min(22rem,50dvh)] h-[min(22rem,50dvh)] ' +
            'px-2.5 py-12 text-center text-14 text-ink-2 empty:hidden'
          }
        >
          {found.isSearching ? null : `No results for “${text}”.`}
        </Autocomplete.Empty>
        <output className="flex min-h-5 items-center gap-2 text-12 text-ink-3">
          {found.isSearching ? (
            <>
              <Spinner size={12} /> Searching your products and reviews…
            </>
          ) : found.isError ? (
            'We couldn’t search your products, your reviews and the members.'
          ) : null}
        </output>
      </Autocomplete.Root>
    </Dialog>
  )
}

/** What the server finds. The next key starts a new search and aborts this one, even during its delay. */
function useFound(typed: string): { groups: Group[]; isSearching: boolean; isError: boolean } {
  const text = typed.trim()
  const { data, isFetching, isError } = useQuery({
    queryKey: api.search.find.queryKey({ input: { text } }),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (text !== '') await pause(searchDelay, signal)
      return client.search.find({ text }, { signal })
    },
  })
  const review = (href: (id: string) => string, hint: string, icon: ReactNode) =>
    function toHit({ id, productTitle, status, excerpt }: FoundReview): Hit {
      return {
        id,
        label: productTitle,
        hint: `${hint} · ${reviewTags[status]}`,
        excerpt,
        href: href(id),
        icon,
        isFound: true,
      }
    }
  const groups: Group[] = [
    {
      value: 'My products',
      items: (data?.products ?? []).map(({ id, title, archived }) => ({
        id,
        label: title,
        hint: archived ? 'Archived' : 'Product',
        href: paths.assets(),
        icon: <Package />,
        isFound: true,
      })),
    },
    {
      value: 'Reviews I write',
      items: (data?.toWrite ?? []).map(review(paths.review, 'Review', <PenLine />)),
    },
    {
      value: 'Reviews of my products',
      items: (data?.received ?? []).map(review(paths.receivedReview, 'Received review', <Star />)),
    },
    {
      value: 'Members',
      items: (data?.members ?? []).map(({ username, avatar }) => ({
        id: `member ${username}`,
        label: username,
        hint: 'Member',
        href: paths.member(username),
        icon: <Avatar size="sm" name={username} src={avatar && paths.avatar(avatar, 64)} className="-mx-1" />,
        isFound: true,
      })),
    },
  ]
  return { groups, isSearching: isFetching && text !== '', isError }
}

type FoundReview = { id: string; productTitle: string; status: ReviewStatus; excerpt: string | null }

/** What can be done from anywhere. `isPaid`: membership is sold here, so it can be paused and canceled. */
function useActions({ isPaid }: { isPaid: boolean }): Hit[] {
  const queryClient = useQueryClient()
  const signOut = useSignOut()
  const markRead = async () => {
    await client.notifications.markAllNoticesRead()
    toast({ title: 'All notifications marked as read', tone: 'success' })
    await queryClient.invalidateQueries()
  }
  const failed = (error: unknown) =>
    toast({ title: 'That did not work', description: failureOf(error).message, tone: 'danger' })
  const runs: [label: string, also: string, run: () => void][] = [
    ['Mark all notifications as read', 'clear inbox', () => void markRead().catch(failed)],
    ['Sign out', 'log out leave', () => signOut.mutate()],
  ]
  return [
    ...actionLinks,
    ...(isPaid ? paymentLinks : []),
    ...runs.map(([label, also, run]) => ({
      id: label,
      label,
      hint: 'Action',
      also,
      href: '',
      icon: <Zap />,
      run,
    })),
  ]
}

/** The articles and help topics. Their code is loaded separately, after the rest. */
function useTexts(): Group[] {
  const { data } = useQuery({
    queryKey: ['texts'],
    queryFn: () => import('#web/articles/findable.ts'),
    staleTime: Infinity,
  })
  const groups = [
    { value: 'Articles', texts: data?.findableArticles ?? [], icon: <BookOpen /> },
    { value: 'Help', texts: data?.findableTopics ?? [], icon: <CircleQuestionMark /> },
  ]
  return groups
    .filter(({ texts }) => texts.length > 0)
    .map(({ value, texts, icon }) => ({
      value,
      items: texts.map(({ href, title, kind, also }) => ({
        id: href,
        label: title,
        hint: kind,
        also,
        href,
        icon,
      })),
    }))
}

const pages: Hit[] = (
  [
    ['Dashboard', paths.dashboard()],
    ['My Products', paths.assets()],
    ['Discover', paths.discover(), 'browse club products category tag'],
    ['Trending', paths.trending(), 'popular exchanges week'],
    ['Reviews', paths.reviews()],
    ['Reports', paths.moderation()],
    ['Reviews received', paths.reviews('received')],
    ['Ledger', paths.reviews('ledger'), 'balance entries statement'],
    ['Review cards', paths.reviewCards(), 'receipt embed site'],
    ['Analytics', paths.analytics(), 'charts figures statistics'],
    ['Activity', paths.activity()],
    ['Notifications', paths.notifications()],
    ['Cooldown Status', paths.cooldown()],
    ['Billing', paths.billing(), 'membership plan invoices payment'],
    ['Settings', paths.settings(), 'profile picture avatar name username email account'],
    [
      'Sign-in and security',
      paths.settings('security'),
      'settings change password two-factor authentication 2fa totp recovery codes passkey',
    ],
    ['Devices', paths.settings('devices'), 'settings sessions sign out log out'],
    ['Notification settings', paths.settings('notifications'), 'preferences'],
    ['Availability', paths.settings('availability'), 'settings quiet hours vacation away offers'],
    ['Organization', paths.organization(), 'shop household team conflict competitor'],
    ['Language and time', paths.settings('language'), 'settings time zone date format'],
    ['Appearance', paths.settings('appearance'), 'settings theme dark light'],
    ['Your data', paths.settings('data'), 'settings export download archive copy'],
    ['Delete account', paths.settings('delete'), 'settings delete my account close leave'],
    ['Support', paths.support(), 'contact message'],
    ['Articles', paths.articles()],
    ['Help', paths.help()],
    ['Rules', paths.rules()],
    ['Fairness', paths.fairness()],
    ['Status', paths.status()],
    ['Pricing', paths.pricing(), 'price membership cost'],
    ['Terms', paths.terms()],
    ['Privacy', paths.privacy()],
    ['Security', paths.security()],
  ] satisfies [label: string, href: string, also?: string][]
).map(([label, href, also]) => ({ id: href, label, hint: 'Page', href, also, icon: <FileText /> }))

const pagesGroup: Group = { value: 'Pages', items: pages }

const actionLinks = linksOf([
  ['Add product', paths.assets(), 'new connect listing create'],
  ['Ask for a review', paths.assets(), 'request rotation queue'],
  ['Write a review', paths.reviews(), 'hand in submit'],
  ['Change password', paths.settings('security'), 'sign-in'],
  ['Switch on push messages', paths.settings('notifications'), 'notify browser alerts'],
  ['Write to Support', paths.support(), 'help contact message'],
])

const paymentLinks = linksOf([
  ['Pause membership', paths.billing(), 'vacation holiday break stop'],
  ['Resume membership', paths.billing(), 'pause end continue'],
  ['Cancel membership', paths.billing(), 'end stop subscription'],
  ['Change the card', paths.billing(), 'payment method invoice'],
])

function linksOf(links: [label: string, href: string, also: string][]): Hit[] {
  return links.map(([label, href, also]) => ({
    id: `action ${label}`,
    label,
    hint: 'Action',
    href,
    also,
    icon: <Zap />,
  }))
}
