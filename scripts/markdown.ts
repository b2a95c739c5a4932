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
type Node = { type: string; value?: string; url?: string; children?: Node[] }

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
    factsInPlace,
    [remarkMdxFrontmatter, { name: 'frontmatter' }],
    remarkGfm,
  ],
  rehypePlugins: [rehypeSlug],
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
