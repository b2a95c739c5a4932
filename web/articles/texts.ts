// The articles and the shorter help topics. A new file in `content/` is a new text.
import type { ComponentType } from 'react'
import type { MDXComponents } from 'mdx/types'

export type Text = ComponentType<{ components?: MDXComponents }>
type TextFile = { frontmatter: Readonly<Record<string, string>>; default: Text }

export const articleCategories = ['How-To', 'Policy', 'FAQ'] as const
export type ArticleCategory = (typeof articleCategories)[number]

export const topicGroups = ['Signing in', 'The exchange', 'Membership', 'Privacy'] as const
export type TopicGroup = (typeof topicGroups)[number]

export type Topic = {
  slug: string
  title: string
  summary: string
  /** Search words that the text itself doesn't contain. */
  also: string
  group: TopicGroup
  Text: Text
}
export type Article = {
  slug: string
  title: string
  summary: string
  category: ArticleCategory
  /** The day it was last changed, as YYYY-MM-DD. */
  updated: string
  Text: Text
}

/** The articles, in reading order. */
export const articles: readonly Article[] = filesInOrder(
  import.meta.glob<TextFile>('../../content/articles/*.md', { eager: true }),
).map(({ path, head, Text }) => ({
  slug: slugOf(path),
  title: required(head, 'title', path),
  summary: required(head, 'summary', path),
  category: oneOf(articleCategories, required(head, 'category', path), path),
  updated: required(head, 'updated', path),
  Text,
}))

/** The help topics, by group and then in order. */
export const topics: readonly Topic[] = filesInOrder(
  import.meta.glob<TextFile>('../../content/help/*.md', { eager: true }),
)
  .map(({ path, head, Text }) => ({
    slug: slugOf(path),
    title: required(head, 'title', path),
    summary: required(head, 'summary', path),
    also: required(head, 'also', path),
    group: oneOf(topicGroups, required(head, 'category', path), path),
    Text,
  }))
  .toSorted((one, other) => topicGroups.indexOf(one.group) - topicGroups.indexOf(other.group))

export function findArticle(slug: string): Article | undefined {
  return articles.find((article) => article.slug === slug)
}

function filesInOrder(files: Record<string, TextFile>) {
  return Object.entries(files)
    .map(([path, { frontmatter: head, default: Text }]) => ({ path, head, Text }))
    .toSorted((one, other) => Number(one.head['order'] ?? 99) - Number(other.head['order'] ?? 99))
}

function slugOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
}

function required(head: TextFile['frontmatter'], name: string, path: string): string {
  const value = head[name]
  if (!value) throw new Error(`The head of ${path} has no ${name}.`)
  return value
}

function oneOf<const T extends string>(values: readonly T[], value: string, path: string): T {
  const found = values.find((each) => each === value)
  if (!found) throw new Error(`${path} says ${value}, but must say one of ${values.join(', ')}.`)
  return found
}
