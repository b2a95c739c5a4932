import { spawnSync } from 'node:child_process'

/**
 * The code that runs now: its commit, and whether files differ from it. What a bench wrote itself, at these
 * paths, is no change of the code.
 */
export function codeNow(...written: string[]): string {
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit === null) return 'code without a commit'
  const others = written.map((path) => `:!${path}`)
  const changes = git('status', '--porcelain', '--untracked-files=no', '--', '.', ...others)
  return changes === null || changes === '' ? commit : `${commit} with changes`
}

/** What Git prints; null where it is not installed or there is no repository. */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
