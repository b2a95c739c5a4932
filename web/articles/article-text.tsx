import type { ComponentProps } from 'react'
import { Link } from '#web/kit/ui/link.tsx'
import { outlineOf } from './outline.ts'
import { Sections } from './sections.tsx'
import type { Text } from './texts.ts'

/** From how many sections a text gets a table of contents. */
const longFrom = 5

/** A text in a column for reading. A long one has its table of contents beside it, or above it where there is no room. */
export function ArticleText({ text }: { text: Text }) {
  const sections = outlineOf(text).headings.filter(({ level }) => level === 2)
  if (sections.length < longFrom) return <Prose text={text} />
  return (
    <Sections sections={sections}>
      <Prose text={text} />
    </Sections>
  )
}

function Prose({ text: Text }: { text: Text }) {
  return (
    <div className="prose">
      <Text components={{ a: Anchor }} />
    </div>
  )
}

/** Through the router where there is one, and out of the site in a tab of its own. */
export function Anchor({ href = '', ...props }: ComponentProps<'a'>) {
  return <Link {...props} href={href} external={/^https?:/.test(href)} />
}
