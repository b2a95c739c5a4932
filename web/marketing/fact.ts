import { facts } from '#contract/facts.ts'

/** A figure of the product as it reads in a sentence. A name that is none stops the build. */
export function fact(name: string): string {
  const known = facts[name]
  if (known === undefined) throw new Error(`${name} is no figure of contract/facts.ts.`)
  return known
}
