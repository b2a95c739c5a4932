import type { ReactNode } from 'react'

type SectionsProps = {
  /** The headings that the list links to. */
  sections: readonly { id: string; title: string }[]
  children: ReactNode
}

/** A long page with a list of its sections: sticky beside it, or folded above it on small screens. */
export function Sections({ sections, children }: SectionsProps) {
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-x-16">
      <details className="not-printed mb-10 rounded-10 border border-line bg-surface lg:hidden">
        <summary className="rounded-10 px-4 py-3 text-14 font-medium text-ink">On this page</summary>
        <div className="border-t border-line px-4 py-3">
          <List sections={sections} label="On this page, short list" />
        </div>
      </details>
      <div className="min-w-0">{children}</div>
      <div className="hidden lg:block">
        <div className="sticky top-24 max-h-[calc(100dvh-7rem)] overflow-y-auto">
          <p className="text-13 font-semibold text-ink">On this page</p>
          <div className="mt-3 border-l border-line pl-4">
            <List sections={sections} label="On this page" />
          </div>
        </div>
      </div>
    </div>
  )
}

function List({ sections, label }: Omit<SectionsProps, 'children'> & { label: string }) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-col gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={
                'block rounded-4 py-1 text-13 text-ink-2 ' +
                'hover:text-ink hover:underline hover:underline-offset-3'
              }
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
