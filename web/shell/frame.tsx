import { useLocation } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  BookOpen,
  Building2,
  CircleUserRound,
  CreditCard,
  Hourglass,
  LayoutDashboard,
  LifeBuoy,
  LogOut,
  Moon,
  Package,
  Settings,
  Star,
  Sun,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { displayNameOf } from '#contract/members.ts'
import type { Me } from '#contract/members.ts'
import { AccountMenu, Frame, NotificationBell } from '#web/kit/frames/frame.tsx'
import type { NavBadge, NavSection } from '#web/kit/frames/frame.tsx'
import { useTheme } from '#web/kit/theme.ts'
import { Link } from '#web/kit/ui/link.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { OfferIndicator } from '#web/matching/offer-indicator.tsx'
import { paths } from '#web/paths.ts'
import { useReviewsToDo } from '#web/reviews/next-steps.ts'
import { useSignOut } from '#web/sign-in/sign-out.ts'
import { Search } from './search.tsx'

/** The frame around every member page. */
export function MemberFrame({ me, children }: { me: Me; children: ReactNode }) {
  const person = {
    name: displayNameOf(me),
    email: me.email,
    avatar: me.avatar && paths.avatar(me.avatar, 64),
  }
  return (
    <Frame
      home={paths.dashboard()}
      sections={useSections({ unread: me.unread, reviews: useReviewsToDo() })}
      person={person}
      search={<Search />}
      offer={<OfferIndicator />}
      admin={me.role === 'user' ? undefined : <AdminLink />}
      bell={<NotificationBell count={me.unread} href={paths.notifications()} />}
      account={<Account person={person} />}
      bar={<OfflineBar />}
      demo={me.demo}
    >
      {children}
    </Frame>
  )
}

function AdminLink() {
  return (
    <Link
      href={paths.adminUsers()}
      className={
        'inline-flex h-9 items-center rounded-8 px-2.5 text-13 font-medium text-ink-2 ' +
        'hover:bg-sunken hover:text-ink pointer-coarse:h-10'
      }
    >
      Admin
    </Link>
  )
}

/** The same frame while it is unknown who is signed in. `email` says why. */
export function PlaceholderFrame({ email, children }: { email: string; children: ReactNode }) {
  return (
    <Frame
      home={paths.dashboard()}
      sections={useSections({ unread: 0, reviews: 0 })}
      person={{ name: 'Account', email }}
      bar={<OfflineBar />}
    >
      {children}
    </Frame>
  )
}

function useSections({ unread, reviews }: { unread: number; reviews: number }): NavSection[] {
  const here = useLocation({ select: ({ pathname }) => pathname })
  const item = (label: string, href: string, icon: ReactNode, badge?: NavBadge) => ({
    label,
    href,
    icon,
    badge,
    current: here === href || here.startsWith(`${href}/`),
  })
  return [
    {
      label: 'Main',
      items: [
        item('Dashboard', paths.dashboard(), <LayoutDashboard />),
        item('Activity', paths.activity(), <Activity />),
        item('Notifications', paths.notifications(), <Bell />, { count: unread, of: 'unread' }),
        item('Cooldown Status', paths.cooldown(), <Hourglass />),
        item('Reviews', paths.reviews(), <Star />, { count: reviews, of: 'to do' }),
        item('Articles', paths.articles(), <BookOpen />),
      ],
    },
    {
      label: 'Account',
      items: [
        item('Billing', paths.billing(), <CreditCard />),
        item('Organization', paths.organization(), <Building2 />),
        item('Settings', paths.settings(), <Settings />),
        item('Support', paths.support(), <LifeBuoy />),
      ],
    },
  ]
}

function Account({ person }: { person: { name: string; email: string; avatar: string | null } }) {
  const { mutate: signOut, isPending } = useSignOut()
  const [theme, setTheme] = useTheme()
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  return (
    <AccountMenu
      person={person}
      items={[
        // The sidebar's pages are fixed, and this one is not among them.
        { label: 'My Products', icon: <Package />, href: paths.assets() },
        { label: 'Profile and settings', icon: <CircleUserRound />, href: paths.settings() },
        isDark
          ? { label: 'Light theme', icon: <Sun />, onSelect: () => setTheme('light') }
          : { label: 'Dark theme', icon: <Moon />, onSelect: () => setTheme('dark') },
        'separator',
        { label: 'Log out', icon: <LogOut />, onSelect: () => (isPending ? undefined : signOut()) },
      ]}
    />
  )
}
