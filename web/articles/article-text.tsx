import type { ComponentProps } from 'react'
import { Link } from '#web/kit/ui/link.tsx'
import { outlineOf } from './outline.ts'
import { OnlyWhere } from './payments.tsx'
import { Sections } from './sections.tsx'
import type { Text } from './texts.ts'

/** Texts with at least this many sections get a table of contents. */
const longFrom = 5

/** A text in a reading column. A long one has its table of contents beside it, or above on small screens. */
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
      <Text components={textParts} />
    </div>
  )
}

/** What a text is made of, besides plain elements. */
export const textParts = { a: Anchor, section: OnlyWhere }

/** Uses the router where there is one. Links to other sites open in a new tab. */
function Anchor({ href = '', ...props }: ComponentProps<'a'>) {
  return <Link {...props} href={href} external={/^https?:/.test(href)} />
}
