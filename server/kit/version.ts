// Which version of the product this process runs: that of package.json, and the commit where the sources are
// a clone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** For example `0.1.0`, or `0.1.0 (1a2b3c4)` in a clone. */
export function readVersion(root: string = process.cwd()): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = readCommit(join(root, '.git'))
  return commit ? `${version} (${commit.slice(0, 7)})` : version
}

/** The commit that is checked out; null outside of a plain clone. */
function readCommit(folder: string): string | null {
  const head = read(join(folder, 'HEAD'))
  if (!head?.startsWith('ref: ')) return head && isCommit(head) ? head : null
  const ref = head.slice('ref: '.length)
  const loose = read(join(folder, ref))
  if (loose && isCommit(loose)) return loose
  const packed = read(join(folder, 'packed-refs')) ?? ''
  const line = packed.split('\n').find((each) => each.endsWith(` ${ref}`))
  return line?.split(' ')[0] ?? null
}

function isCommit(text: string) {
  return /^[0-9a-f]{40,64}$/.test(text)
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // Not there: the product was unpacked from an archive.
    return null
  }
}
