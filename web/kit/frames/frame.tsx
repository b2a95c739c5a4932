import { Bell, Hourglass, Menu as MenuIcon, Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cx } from '../ui/cx.ts'
import { DemoMark } from '../ui/demo-mark.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Link } from '../ui/link.tsx'
import { Logo, Mark } from '../ui/logo.tsx'
import { Menu } from '../ui/menu.tsx'
import { PortalHome } from '../ui/portal-home.ts'
import type { MenuItem } from '../ui/menu-item.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { menuMissing, useLazy } from '../use-lazy.ts'

export type NavBadge = { count: number; of: string }

type NavItem = {
  label: string
  href: string
  /** An icon of 18 px. */
  icon: ReactNode
  /** A count beside the label: hidden for 0, 99+ above 99. `of` says what is counted, for screen readers. */
  badge?: NavBadge
  /** Whether this is the current page. */
  current?: boolean
}

export type NavSection = { label: string; items: readonly NavItem[] }

type FrameProps = {
  /** The target of the logo's link. */
  home: string
  sections: readonly NavSection[]
  /** The signed-in member, for the foot of the sidebar. */
  person: { name: string; email: string; avatar?: string | null }
  /** Parts of the top bar, from left to right, all optional. */
  search?: ReactNode
  offer?: ReactNode
  bell?: ReactNode
  admin?: ReactNode
  account?: ReactNode
  /** A bar above the top bar, for example the offline bar. Both stay in view. The sidebar is beside them. */
  bar?: ReactNode
  demo?: boolean
  children: ReactNode
}

/**
 * The frame of every member page: sidebar (a drawer on small screens), top bar and the page's main landmark.
 * Its only state is whether the drawer is open.
 */
export function Frame(props: FrameProps) {
  const { home, sections, person, bar, demo = false, children } = props
  const [main, setMain] = useState<HTMLElement | null>(null)
  return (
    <PortalHome value={main}>
      <SkipLink />
      <div className="lg:grid lg:grid-cols-[var(--sidebar-width)_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-canvas lg:flex">
          <SidebarContent home={home} sections={sections} person={person} demo={demo} />
        </aside>
        <div className="flex min-h-dvh min-w-0 flex-col">
          {demo ? (
            <p
              className={
                'border-b border-accent-line bg-accent-soft py-1 ' +
                'text-center text-12 font-medium text-accent-ink lg:hidden'
              }
            >
              Demo club
            </p>
          ) : null}
          <div className="sticky top-0 z-30">
            {bar}
            <TopBar {...props} />
          </div>
          <main
            ref={setMain}
            id="main"
            tabIndex={-1}
            className="min-w-0 flex-1 scroll-mt-16 pb-[env(safe-area-inset-bottom)]"
          >
            {children}
          </main>
        </div>
      </div>
    </PortalHome>
  )
}

function TopBar({ home, sections, person, demo = false, search, offer, bell, admin, account }: FrameProps) {
  return (
    <header
      className={
        'group/bar flex h-(--topbar-height) items-center gap-1.5 ' +
        'border-b border-line bg-surface px-3 sm:gap-2 sm:px-6'
      }
    >
      <Drawer home={home} sections={sections} person={person} demo={demo} />
      <Link href={home} aria-label="Evenhand dashboard" className="mr-auto flex rounded-6 lg:hidden">
        {/* The name is hidden beside an offer or a title, and always on the smallest screens. */}
        <Mark className="hidden max-[22rem]:block max-sm:group-has-[[data-offer],[data-title]]/bar:block" />
        <Logo className="max-[22rem]:hidden max-sm:group-has-[[data-offer],[data-title]]/bar:hidden" />
      </Link>
      <div className="min-w-0 lg:mr-auto lg:w-full lg:max-w-md">{search}</div>
      {offer}
      {admin}
      {bell}
      {account}
    </header>
  )
}

type SidebarProps = Pick<FrameProps, 'home' | 'sections' | 'person' | 'demo'> & {
  onFollow?: () => void
  close?: ReactNode
}

const loadDrawer = lazy(() => import('./frame-drawer.tsx'))

function Drawer(props: SidebarProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { parts, want, reach } = useLazy(loadDrawer, menuMissing)
  const [open, setOpen] = useState(false)

  async function show() {
    if (await want()) setOpen(true)
  }

  return (
    <>
      <IconButton
        ref={button}
        quiet
        label="Open menu"
        icon={<MenuIcon />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={reach}
        onClick={() => void show()}
        className="-ml-1 lg:hidden"
      />
      {parts ? (
        <parts.FrameDrawer open={open} onOpenChange={setOpen} button={button}>
          <SidebarContent
            {...props}
            onFollow={() => setOpen(false)}
            close={<IconButton quiet label="Close menu" icon={<X />} onClick={() => setOpen(false)} />}
          />
        </parts.FrameDrawer>
      ) : null}
    </>
  )
}

function SidebarContent({ home, sections, person, demo = false, onFollow, close }: SidebarProps) {
  return (
    <>
      <div className="flex h-(--topbar-height) shrink-0 items-center justify-between gap-2 pr-3 pl-5">
        <Link href={home} onClick={onFollow} aria-label="Evenhand dashboard" className="flex rounded-6">
          <Logo />
        </Link>
        {close}
        {demo && !close ? <DemoMark /> : null}
      </div>
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-3 pt-2 pb-4">
        {demo && close ? (
          <p className="px-2.5 pb-2">
            <DemoMark />
          </p>
        ) : null}
        {sections.map((section) => (
          <div key={section.label} className="mt-4 first:mt-1">
            <p className="px-2.5 pb-1.5 text-12 font-medium text-ink-3">{section.label}</p>
            <ul className="flex flex-col gap-0.5">
              {section.items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} onFollow={onFollow} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex items-center gap-3 border-t border-line px-5 py-3.5">
        <Avatar name={person.name} src={person.avatar} />
        <div className="min-w-0">
          <p className="truncate text-13 font-medium text-ink">{person.name}</p>
          <p className="truncate text-12 text-ink-3">{person.email}</p>
        </div>
      </div>
    </>
  )
}

function NavLink({ item, onFollow }: { item: NavItem; onFollow?: () => void }) {
  return (
    <Link
      href={item.href}
      onClick={onFollow}
      aria-current={item.current ? 'page' : undefined}
      className={cx(
        'relative flex h-9 items-center gap-3 rounded-8 px-2.5 text-14 transition-colors ' +
          'pointer-coarse:h-11 [&_svg]:size-4.5 [&_svg]:shrink-0',
        item.current
          ? 'bg-pressed font-semibold text-ink before:absolute before:inset-y-2 before:-left-3 ' +
              'before:w-[3px] before:rounded-r-full before:bg-accent ' +
              '[&_svg]:text-accent-ink forced-colors:before:bg-[Highlight]'
          : 'text-ink-2 hover:bg-sunken hover:text-ink [&_svg]:text-ink-3',
      )}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.badge && item.badge.count > 0 ? <Count {...item.badge} /> : null}
    </Link>
  )
}

function Count({ count, of }: { count: number; of: string }) {
  return (
    <span
      className={
        'tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 ' +
        'text-12 font-semibold text-on-accent'
      }
    >
      {countText(count)}
      <span className="sr-only"> {of}</span>
    </span>
  )
}

/** The text of a count in a badge: 99+ above 99. */
function countText(value: number): string {
  return value > 99 ? '99+' : String(value)
}

/** The button of the top bar that looks like a search box and opens the search. An icon on small screens. */
export function SearchTrigger({
  onOpen,
  placeholder = 'Search digital assets, reviews, creators...',
}: {
  onOpen: () => void
  placeholder?: string
}) {
  return (
    <>
      <button
        type="button"
        onClick={onOpen}
        aria-keyshortcuts="Control+K /"
        className="control hidden h-9 items-center gap-2.5 px-3 text-ink-3! lg:flex"
      >
        <Search size={16} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 flex-1 truncate text-left">{placeholder}</span>
        <span aria-hidden="true" className="flex gap-1">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <IconButton label="Search" icon={<Search />} onClick={onOpen} className="lg:hidden" />
    </>
  )
}

/** The link to the notifications, with the count of unread ones. */
export function NotificationBell({ count, href }: { count: number; href: string }) {
  const name = count > 0 ? `Notifications, ${countText(count)} unread` : 'Notifications'
  return (
    <Tooltip content={name} repeatsName>
      <Link
        href={href}
        aria-label={name}
        className={
          'relative inline-flex size-9 items-center justify-center rounded-8 text-ink-2 ' +
          'transition-colors hover:bg-sunken hover:text-ink pointer-coarse:size-10'
        }
      >
        <Bell size={18} aria-hidden="true" />
        {count > 0 ? (
          <span
            aria-hidden="true"
            className={
              'tabular absolute -top-1 -right-1 inline-flex h-4 min-w-4 ' +
              'items-center justify-center rounded-full border-2 border-surface ' +
              'bg-accent box-content px-0.5 text-[10px] font-bold text-on-accent'
            }
          >
            {countText(count)}
          </span>
        ) : null}
      </Link>
    </Tooltip>
  )
}

/** Opens the offer that waits for an answer, and shows the time left. */
export function OfferIndicator({ timeLeft, onOpen }: { timeLeft: ReactNode; onOpen: () => void }) {
  return (
    <button
      type="button"
      data-offer
      onClick={onOpen}
      className={
        'inline-flex h-9 shrink-0 items-center gap-2 rounded-8 border border-accent-line ' +
        'bg-accent-soft px-2.5 text-13 font-medium text-accent-ink ' +
        'transition-colors hover:border-accent pointer-coarse:h-10'
      }
    >
      <Hourglass size={15} aria-hidden="true" className="max-sm:hidden" />
      <span className="max-sm:sr-only">Review offer</span>
      <span className="tabular">{timeLeft}</span>
    </button>
  )
}

/** The account menu at the end of the top bar. */
export function AccountMenu({
  person,
  items,
}: {
  person: { name: string; email: string; avatar?: string | null }
  items: readonly MenuItem[]
}) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Account menu, ${person.name}`}
          className={
            'inline-flex size-9 shrink-0 items-center justify-center ' +
            'rounded-full hover:bg-sunken pointer-coarse:size-10'
          }
        >
          <Avatar name={person.name} src={person.avatar} />
        </button>
      }
      header={
        <>
          <p className="truncate text-14 font-medium text-ink">{person.name}</p>
          <p className="truncate text-12 text-ink-3">{person.email}</p>
        </>
      }
      items={items}
    />
  )
}
