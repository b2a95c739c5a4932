import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type PageHeaderProps = {
  title: ReactNode
  /** One line of help. */
  help?: ReactNode
  /** The page's primary action, and at most one secondary action beside it. */
  action?: ReactNode
  /** The parent pages, only for pages below the second level. */
  breadcrumb?: readonly { label: string; href: string }[]
  /** Beside the title, for example a status. */
  badge?: ReactNode
}

/** The head of a page. Its title (`#page-title`) gets the focus after a navigation. */
export function PageHeader({ title, help, action, breadcrumb, badge }: PageHeaderProps) {
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between">
      <div className="min-w-0">
        {breadcrumb ? (
          <nav aria-label="Breadcrumb" className="mb-1.5">
            <ol className="flex flex-wrap items-center gap-1 text-13 text-ink-3">
              {breadcrumb.map(({ label, href }) => (
                <li key={href} className="flex items-center gap-1">
                  <Link href={href} className="rounded-4 py-0.5 hover:text-ink hover:underline">
                    {label}
                  </Link>
                  <ChevronRight size={14} aria-hidden="true" />
                </li>
              ))}
            </ol>
          </nav>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 id="page-title" tabIndex={-1} className="text-22 font-semibold text-ink">
            {title}
          </h1>
          {badge}
        </div>
        {help ? <p className="mt-1 max-w-reading text-14 text-pretty text-ink-2">{help}</p> : null}
      </div>
      {action ? <div className="flex flex-wrap items-center gap-2 md:shrink-0">{action}</div> : null}
    </div>
  )
}
