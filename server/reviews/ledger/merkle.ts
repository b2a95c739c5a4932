// A tree of hashes over the links of a seal. Its leaves are sorted by their hashes and filled up to at least
// 64, so that a path shows neither which entries belong together nor how few there were.
import { createHash } from 'node:crypto'

const fewest = 64

/** The levels of the tree, the leaves first and the root last. Leaves are hashes of 32 bytes. */
export function treeOf(leaves: readonly Buffer[], salt: Buffer): Buffer[][] {
  let size = fewest
  while (size < leaves.length) size *= 2
  const fillers = Array.from({ length: size - leaves.length }, (_, at) => hashOf(2, salt, whole(at)))
  const hashed = [...leaves, ...fillers].map((leaf) => hashOf(0, leaf))
  const levels = [hashed.toSorted((one, other) => Buffer.compare(one, other))]
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) level = above(level)
  return levels
}

/** The neighbors from a leaf up to the root, and the place of the leaf, whose bits say on which side. */
export function pathOf(levels: readonly Buffer[][], leaf: Buffer): { place: number; path: Buffer[] } {
  const hashed = hashOf(0, leaf)
  const place = levels[0]?.findIndex((one) => one.equals(hashed)) ?? -1
  if (place < 0) throw new Error('The seal does not cover this entry.')
  const path = levels.slice(0, -1).flatMap((level, depth) => level[(place >> depth) ^ 1] ?? [])
  return { place, path }
}

export const rootOf = (levels: readonly Buffer[][]): Buffer => levels.at(-1)?.[0] ?? Buffer.alloc(32)

function above(level: readonly Buffer[]): Buffer[] {
  return Array.from({ length: level.length / 2 }, (_, at) => hashOf(1, ...level.slice(at * 2, at * 2 + 2)))
}

function hashOf(kind: 0 | 1 | 2, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Buffer.of(kind))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function whole(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
