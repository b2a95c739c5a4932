import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { BookOpen, CircleQuestionMark, FileText, Package, PenLine, Search, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { api } from '#web/api.ts'
import { holds, wordsOf } from '#web/articles/find.ts'
import { productsFreshMs } from '#web/kit/query.ts'
import { Avatar } from '#web/kit/ui/avatar.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { useMemberSearch } from '#web/members/member-search.ts'
import { paths } from '#web/paths.ts'
import { isScreen } from './router-link.tsx'

type Hit = {
  id: string
  label: string
  hint: string
  href: string
  icon: ReactNode
  /** Additional search terms. */
  also?: string
}
type Group = { value: string; items: Hit[] }

type SearchDialogProps = {
  text: string
  onText: (text: string) => void
  /** Called when the input has the focus and receives what is typed. */
  onReady: () => void
  onClose: () => void
}

/** Finds the member's products and reviews, other members, pages and texts by the words in their names. */
export function SearchDialog({ text, onText, onReady, onClose }: SearchDialogProps) {
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const { groups, isPending, isIncomplete } = useFindable()
  const { members, isSearching, isError } = useMemberSearch(text)
  const texts = useTexts()

  function follow(hit: Hit) {
    onClose()
    if (isScreen(hit.href)) void router.navigate({ href: hit.href })
    else location.assign(hit.href)
  }

  return (
    <Dialog open onOpenChange={onClose} title="Search" initialFocus={input}>
      <Autocomplete.Root
        inline
        open
        items={[...groups, ...membersGroup(members), ...texts]}
        value={text}
        onValueChange={onText}
        filter={(hit: Hit, query) => isFound(hit, query)}
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
                    className="flex min-h-9 cursor-default items-center gap-3 rounded-6 px-2.5 py-1.5 text-14 text-ink outline-none select-none data-highlighted:bg-pressed pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3"
                  >
                    {hit.icon}
                    <span className="min-w-0 flex-1 truncate">{hit.label}</span>
                    <span className="shrink-0 text-12 text-ink-2">{hit.hint}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Empty className="-mt-[min(22rem,50dvh)] h-[min(22rem,50dvh)] px-2.5 py-12 text-center text-14 text-ink-2 empty:hidden">
          {isPending || isSearching ? null : `No results for “${text}”.`}
        </Autocomplete.Empty>
        <output className="flex min-h-5 items-center gap-2 text-12 text-ink-3">
          {isPending ? (
            <>
              <Spinner size={12} /> Searching your products and reviews…
            </>
          ) : isSearching ? (
            <>
              <Spinner size={12} /> Searching members…
            </>
          ) : isIncomplete || isError ? (
            `We couldn't search ${isIncomplete ? 'all your products and reviews' : 'the members'}.`
          ) : null}
        </output>
      </Autocomplete.Root>
    </Dialog>
  )
}

/** Whether each word of the query starts a word of the hit. A query of punctuation alone matches nothing. */
function isFound({ label, hint, also = '' }: Hit, query: string): boolean {
  const words = wordsOf(query)
  return words.length === 0 ? query.trim() === '' : holds(`${label} ${hint} ${also}`, words)
}

function membersGroup(members: readonly { username: string; avatar: string | null }[]): Group[] {
  if (members.length === 0) return []
  const items = members.map(({ username, avatar }) => ({
    id: `member ${username}`,
    label: username,
    hint: 'Member',
    also: `@${username}`,
    href: paths.member(username),
    icon: <Avatar size="sm" name={username} src={avatar && paths.avatar(avatar, 64)} className="-mx-1" />,
  }))
  return [{ value: 'Members', items }]
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

/** The pages and the member's own products and reviews. `isIncomplete` when some of them failed to load. */
function useFindable(): { groups: Group[]; isPending: boolean; isIncomplete: boolean } {
  const [products, toWrite, received] = useQueries({
    queries: [
      api.products.listProducts.queryOptions({ staleTime: productsFreshMs }),
      api.reviews.listReviewsToWrite.queryOptions({ input: { limit: 100 } }),
      api.reviews.listReviewsReceived.queryOptions({ input: { limit: 100 } }),
    ],
  })
  const groups: Group[] = [
    { value: 'Pages', items: pages },
    {
      value: 'My products',
      items: (products.data ?? []).map(({ id, title, archived }) => ({
        id,
        label: title,
        hint: archived ? 'Archived' : 'Product',
        href: paths.assets(),
        icon: <Package />,
      })),
    },
    {
      value: 'Reviews I write',
      items: (toWrite.data?.items ?? []).map(({ id, productTitle }) => ({
        id,
        label: productTitle,
        hint: 'Review',
        href: paths.review(id),
        icon: <PenLine />,
      })),
    },
    {
      value: 'Reviews of my products',
      items: (received.data?.items ?? []).map(({ id, productTitle }) => ({
        id,
        label: productTitle,
        hint: 'Received review',
        href: paths.receivedReview(id),
        icon: <Star />,
      })),
    },
  ]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isPending: products.isPending || toWrite.isPending || received.isPending,
    isIncomplete: products.isError || toWrite.isError || received.isError,
  }
}

const pages: Hit[] = (
  [
    ['Dashboard', paths.dashboard()],
    ['My Products', paths.assets()],
    ['Reviews', paths.reviews()],
    ['Reports', paths.moderation()],
    ['Reviews received', paths.reviews('received')],
    ['Activity', paths.activity()],
    ['Notifications', paths.notifications()],
    ['Cooldown Status', paths.cooldown()],
    ['Settings', paths.settings(), 'profile picture avatar name username email account'],
    [
      'Sign-in and security',
      paths.settings('security'),
      'settings change password two-factor authentication 2fa totp recovery codes passkey',
    ],
    ['Devices', paths.settings('devices'), 'settings sessions sign out log out'],
    ['Notification settings', paths.settings('notifications'), 'preferences'],
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
