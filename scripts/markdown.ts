// Compiles the texts of `content/` to components. `{{name}}` stands for a figure of the product, so that a
// text and the code cannot disagree.
import { compile } from '@mdx-js/mdx'
import type { CompileOptions } from '@mdx-js/mdx'
import rehypeSlug from 'rehype-slug'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdxFrontmatter from 'remark-mdx-frontmatter'
import type { Plugin } from 'vite'

type Facts = Readonly<Record<string, string>>
/** The part of a Markdown tree's node that this file reads. */
type Node = {
  type: string
  value?: string
  url?: string
  children?: Node[]
  data?: { hName: string; hProperties: Record<string, string> }
}

/**
 * Compiles Markdown to a default component that takes `components`, and exports the file's head as
 * `frontmatter`.
 */
export function markdown(): Plugin {
  return {
    name: 'markdown',
    enforce: 'pre',
    transform: {
      filter: { id: /\.md$/ },
      async handler(text, path) {
        const { value } = await compile({ path, value: text }, options)
        return { code: String(value), map: null }
      },
    },
  }
}

const options: CompileOptions = {
  format: 'md',
  remarkPlugins: [
    remarkFrontmatter,
    () => partsInPlace,
    factsInPlace,
    [remarkMdxFrontmatter, { name: 'frontmatter' }],
    remarkGfm,
  ],
  rehypePlugins: [rehypeSlug],
}

/**
 * Makes one element of what stands between the lines `:::open` (or `:::closed`) and `:::`: a part of the text
 * that holds only where membership can be bought, or only where it can't. Refuses a part without an end.
 */
export function partsInPlace(tree: Node): void {
  const children: Node[] = []
  let part: Node[] | null = null
  for (const node of tree.children ?? []) {
    const [, mark] = /^:::(\w*)$/.exec(lineOf(node)) ?? []
    if (mark === undefined) (part ?? children).push(node)
    else if (mark === '') part = null
    else if (mark !== 'open' && mark !== 'closed') throw new Error(`:::${mark} must be :::open or :::closed.`)
    else if (part !== null) throw new Error(`:::${mark} begins before the end of the part above it.`)
    else {
      part = []
      children.push({
        type: 'part',
        data: { hName: 'section', hProperties: { dataPayments: mark } },
        children: part,
      })
    }
  }
  if (part !== null) throw new Error('The last part has no ::: at its end.')
  tree.children = children
}

/** The text of a paragraph of one line; otherwise nothing. */
function lineOf({ type, children = [] }: Node): string {
  return type === 'paragraph' && children.length === 1 ? (children[0]?.value ?? '') : ''
}

function factsInPlace() {
  return async (tree: Node) => {
    // Loaded with the first text, because this plugin's configuration is also loaded where there are no
    // texts.
    const { facts } = await import('#contract/facts.ts')
    putFacts(tree, facts)
  }
}

/** Replaces the names of figures in text, addresses and the file's head. Refuses an unknown name. */
export function putFacts(node: Node, facts: Facts): void {
  if (node.value) node.value = withFacts(node.value, facts)
  if (node.url) node.url = withFacts(decodeURI(node.url), facts)
  for (const child of node.children ?? []) putFacts(child, facts)
}

function withFacts(text: string, facts: Facts) {
  return text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined
    if (fact === undefined) throw new Error(`{{${name}}} is no figure of contract/facts.ts.`)
    return fact
  })
}
