import type { Nodes, Root } from 'mdast'
import { Fragment, useMemo } from 'react'
import type { ReactNode } from 'react'
import { readMarkdown } from '#contract/markdown.ts'
import { cx } from '#web/kit/ui/cx.ts'

/**
 * A product's description. Only the elements below are ever made of it, so a description can hold no link, no
 * picture and no HTML, whatever its text is.
 */
export function Markdown({ text, className }: { text: string; className?: string }) {
  const tree = useMemo(() => readMarkdown(text), [text])
  return <div className={cx('flex flex-col gap-2 text-pretty wrap-anywhere', className)}>{inside(tree)}</div>
}

function inside({ children }: { children: Root['children'] | readonly Nodes[] }): ReactNode {
  // The order of the nodes of a text never changes, so their places are their keys.
  return children.map((child, place) => <Fragment key={place}>{element(child)}</Fragment>)
}

function element(node: Nodes): ReactNode {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (node.type) {
    case 'text':
      return node.value
    case 'paragraph':
      // Line breaks are kept as they were typed.
      return <p className="whitespace-pre-line">{inside(node)}</p>
    case 'heading':
      // No heading: a description must not change the outline of the page that shows it.
      return <p className="font-semibold text-ink">{inside(node)}</p>
    case 'strong':
      return <strong className="font-semibold text-ink">{inside(node)}</strong>
    case 'emphasis':
      return <em>{inside(node)}</em>
    case 'break':
      return <br />
    case 'inlineCode':
      return <code className="rounded-4 bg-sunken px-1 font-mono text-12">{node.value}</code>
    case 'code':
      return <pre className="rounded-8 bg-sunken p-3 font-mono text-12 whitespace-pre-wrap">{node.value}</pre>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} className="flex list-decimal flex-col gap-1 pl-5">
          {inside(node)}
        </ol>
      ) : (
        <ul className="flex list-disc flex-col gap-1 pl-5">{inside(node)}</ul>
      )
    case 'listItem':
      return <li>{inside(node)}</li>
    case 'thematicBreak':
      return <hr className="border-line" />
    // Nothing is made of the rest: HTML, links, pictures, tables, footnotes.
    default:
      return null
  }
}
