// A product's description is Markdown without links, pictures and HTML. What cannot be written in it is also
// never read: the parser does not know it, so it stays plain text on every screen.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes, Root } from 'mdast'

/** The tree of a description: paragraphs, emphasis, lists, headings and code, and nothing else. */
export function readMarkdown(text: string): Root {
  return fromMarkdown(nestsTooDeep(text) ? text.replace(marker, '\\$&') : text, {
    extensions: [{ disable: { null: unread } }],
  })
}

/** The text of a description without its markup, as one line of at most this many characters. */
export function plainText(text: string, length: number): string {
  // A little more than the line holds is read, since the markup around it goes.
  const line = textOf(readMarkdown(text.slice(0, 3 * length)))
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, length).join('').trim()
}

/** What a description may not have: a link or an address, or HTML. Null when it has neither. */
export function findMarkup(text: string): 'link' | 'html' | null {
  if (links.some((link) => link.test(text))) return 'link'
  return /<\/?[a-z][^<]*>|<!--|<!\[|<![a-z]|<\?/i.test(text) ? 'html' : null
}

const links = [
  /\b(?:https?|mailto|ftp):/i,
  /\bwww\.\S/i,
  /[^\s@]@[^\s@]+\.[a-z]{2}/i,
  /\b[a-z0-9-]{2,}\.(?:com|net|org|shop|store|io|co|me|app|dev|ly|gg|example)\b/i,
  // Links of Markdown: with their address in brackets, and by reference.
  /\]\s?\(/,
  /^\s{0,3}\[[^\]]+\]:/m,
]

const unread = [
  'autolink',
  'blockQuote',
  'characterReference',
  'codeIndented',
  'definition',
  'htmlFlow',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'setextUnderline',
]

// Lists in one line can nest thousands of levels deep, which no screen could draw.
const marker = /^(?=\s*(?:[-+*]|\d{1,9}[.)])\s)/gm

function nestsTooDeep(text: string) {
  return /^(?:\s*(?:[-+*]|\d{1,9}[.)])\s+){5}/m.test(text)
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if (!('children' in node)) return ' '
  const between = node.type === 'root' || node.type === 'list' || node.type === 'listItem' ? ' ' : ''
  return node.children.map(textOf).join(between)
}
