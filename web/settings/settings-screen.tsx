import { useLocation } from '@tanstack/react-router'
import {
  Bell,
  CalendarClock,
  CircleUserRound,
  Dices,
  Download,
  Globe,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'
import { Link } from '#web/kit/ui/link.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { paths } from '#web/paths.ts'

const yourData = paths.settings('data')

const sections = [
  { href: paths.settings(), label: 'Profile', icon: <CircleUserRound /> },
  { href: paths.settings('security'), label: 'Sign-in and security', icon: <ShieldCheck /> },
  { href: paths.settings('devices'), label: 'Devices', icon: <MonitorSmartphone /> },
  { href: paths.settings('notifications'), label: 'Notifications', icon: <Bell /> },
  { href: paths.settings('offers'), label: 'Offers', icon: <Dices /> },
  { href: paths.settings('availability'), label: 'Availability', icon: <CalendarClock /> },
  { href: paths.settings('language'), label: 'Language and time', icon: <Globe /> },
  { href: paths.settings('appearance'), label: 'Appearance', icon: <Palette /> },
  { href: yourData, label: 'Your data', icon: <Download /> },
]

/** The frame of the settings: links to the sections, and the current section. */
export function SettingsScreen({ children }: { children: ReactNode }) {
  const here = useLocation({ select: ({ pathname }) => pathname })
  return (
    <Page>
      <h1 className="text-22 font-semibold text-ink">Settings</h1>
      <div className="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12">
        <nav
          aria-label="Settings"
          className={
            'max-lg:-mx-4 max-lg:overflow-x-auto max-lg:border-b max-lg:border-line max-lg:px-4 ' +
            'max-lg:[scrollbar-width:none] sm:max-lg:-mx-8 sm:max-lg:px-8 ' +
            'lg:sticky lg:top-[calc(var(--topbar-height)+2rem)] lg:self-start'
          }
        >
          <ul className="flex gap-1 max-lg:w-max max-lg:pb-2 lg:flex-col lg:gap-0.5">
            {sections.map(({ href, label, icon }) => (
              <li key={href}>
                <SectionLink
                  href={href}
                  icon={icon}
                  isCurrent={here === href || (href === yourData && here === paths.settings('delete'))}
                >
                  {label}
                </SectionLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0 max-w-[44rem]">{children}</div>
      </div>
    </Page>
  )
}

type SectionLinkProps = { href: string; icon: ReactNode; isCurrent: boolean; children: ReactNode }

function SectionLink({ href, icon, isCurrent, children }: SectionLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      ref={isCurrent ? scrollIntoRow : undefined}
      className={cx(
        'flex h-9 items-center gap-2.5 rounded-8 px-2.5 text-14 whitespace-nowrap transition-colors ' +
          'pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
        isCurrent
          ? 'bg-pressed font-semibold text-ink [&_svg]:text-accent-ink ' +
              'forced-colors:outline forced-colors:outline-1'
          : 'text-ink-2 hover:bg-sunken hover:text-ink [&_svg]:text-ink-3',
      )}
    >
      {icon}
      {children}
    </Link>
  )
}

/** Scrolls the row of sections to the current one. On a phone the row is wider than the window. */
function scrollIntoRow(link: HTMLAnchorElement | null): void {
  const row = link?.closest('nav')
  if (!link || !row) return
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
}
