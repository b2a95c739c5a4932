import { Monitor, Moon, Sun } from 'lucide-react'
import type { PaymentsMode } from '#contract/membership.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { Logo } from '#web/kit/ui/logo.tsx'
import { TestPaymentsMark } from '#web/kit/ui/test-payments-mark.tsx'
import { closedText } from '#web/marketing/claims.ts'
import { paths } from '#web/paths.ts'

const columns = [
  {
    title: 'Product',
    links: [
      { href: paths.howItWorks(), label: 'How it works' },
      { href: paths.features(), label: 'Features' },
      { href: paths.pricing(), label: 'Pricing' },
      { href: paths.faq(), label: 'FAQ' },
    ],
  },
  {
    title: 'Transparency',
    links: [
      { href: paths.rules(), label: 'Rules' },
      { href: paths.fairness(), label: 'Fairness' },
      { href: paths.drawCheck(), label: 'Check a draw' },
      { href: paths.status(), label: 'Status' },
    ],
  },
  {
    title: 'Support',
    links: [
      { href: paths.help(), label: 'Help' },
      { href: paths.articles(), label: 'Articles' },
      { href: paths.contact(), label: 'Contact' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { href: paths.privacy(), label: 'Privacy' },
      { href: paths.terms(), label: 'Terms' },
      { href: paths.security(), label: 'Security' },
    ],
  },
]

type SiteFooterProps = { path: string; demo: boolean; payments: PaymentsMode }

export function SiteFooter({ path, demo, payments }: SiteFooterProps) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto max-w-content px-5 pt-14 pb-10 sm:px-6">
        <div className="grid gap-x-8 gap-y-10 md:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
          <div>
            <a href={paths.home()} aria-label="Evenhand, front page" className="inline-flex rounded-6">
              <Logo />
            </a>
            <p className="mt-3 max-w-[34ch] text-14 text-pretty text-ink-2">
              Honest, verified-purchase reviews between sellers of digital products. One given, one received.
            </p>
          </div>
          <nav aria-label="Footer" className="not-printed">
            <ul className="grid grid-cols-2 gap-x-6 gap-y-9 sm:grid-cols-4">
              {columns.map(({ title, links }) => (
                <li key={title}>
                  <p className="text-13 font-semibold text-ink">{title}</p>
                  <ul className="mt-2.5">
                    {links.map(({ href, label }) => (
                      <li key={href}>
                        <a
                          href={href}
                          aria-current={href === path ? 'page' : undefined}
                          className={cx(
                            'inline-flex min-h-8 items-center rounded-4 text-14 text-ink-2',
                            'hover:text-ink hover:underline hover:underline-offset-3',
                            'aria-[current]:text-ink',
                          )}
                        >
                          {label}
                        </a>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div
          className={cx(
            'mt-12 flex flex-wrap items-center justify-between gap-x-8',
            'gap-y-4 border-t border-line pt-6',
          )}
        >
          {/* On screens where the header has no space for it. */}
          {demo ? (
            <Badge tone="accent" className="min-[26rem]:hidden">
              Demo club
            </Badge>
          ) : null}
          {payments === 'test' ? <TestPaymentsMark /> : null}
          <p className="text-13 text-ink-3">
            {payments === 'closed' ? `${closedText} ` : ''}Evenhand isn’t affiliated with any marketplace.
            Each marketplace’s own terms apply.
          </p>
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}

const themes = [
  { value: 'system', label: 'System theme', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
] as const

/** Needs the script, so it is hidden without one. */
function ThemeSwitch() {
  return (
    <fieldset className="needs-script flex rounded-8 border border-line p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          data-theme-choice={value}
          aria-label={label}
          aria-pressed={value === 'system'}
          className={cx(
            'flex size-7 items-center justify-center rounded-6 text-ink-3 transition-colors',
            'hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink',
            'forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText]',
          )}
        >
          <Icon size={15} aria-hidden="true" />
        </button>
      ))}
    </fieldset>
  )
}
