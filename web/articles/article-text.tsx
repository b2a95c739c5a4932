import type { ComponentProps } from 'react'
import { Link } from '#web/kit/ui/link.tsx'
import { outlineOf } from './outline.ts'
import type { Heading } from './outline.ts'
import type { Text } from './texts.ts'

/** From how many sections a text gets a table of contents. */
const longFrom = 5

/** A text in a column for reading. A long one has its table of contents beside it, or above it where there is no room. */
export function ArticleText({ text }: { text: Text }) {
  const sections = outlineOf(text).headings.filter(({ level }) => level === 2)
  if (sections.length < longFrom) return <Prose text={text} />
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,var(--reading-width))_minmax(0,16rem)] xl:gap-x-16">
      <details className="mb-8 max-w-reading rounded-10 border border-line bg-surface xl:hidden">
        <summary className="rounded-10 px-4 py-3 text-14 font-medium text-ink">On this page</summary>
        <div className="border-t border-line px-4 py-3">
          <Contents sections={sections} label="On this page, in short" />
        </div>
      </details>
      <Prose text={text} />
      <aside className="hidden xl:block">
        <div className="sticky top-24">
          <p className="text-13 font-semibold text-ink">On this page</p>
          <div className="mt-3 border-l border-line pl-4">
            <Contents sections={sections} label="On this page" />
          </div>
        </div>
      </aside>
    </div>
  )
}

function Prose({ text: Text }: { text: Text }) {
  return (
    <div className="prose min-w-0">
      <Text components={{ a: Anchor }} />
    </div>
  )
}

/** Through the router where there is one, and out of the site in a tab of its own. */
export function Anchor({ href = '', ...props }: ComponentProps<'a'>) {
  return <Link {...props} href={href} external={/^https?:/.test(href)} />
}

function Contents({ sections, label }: { sections: readonly Heading[]; label: string }) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-col gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-4 py-1 text-13 text-ink-2 hover:text-ink hover:underline hover:underline-offset-3"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
