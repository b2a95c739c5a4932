import { facts } from '#contract/facts.ts'

/** A figure of the product as it reads in a sentence. An unknown name stops the build. */
export function fact(name: string): string {
  const known = facts[name]
  if (known === undefined) throw new Error(`${name} is not a figure of contract/facts.ts.`)
  return known
}
