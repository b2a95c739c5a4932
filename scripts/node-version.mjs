// Plain JavaScript for any Node version: it refuses the old ones.

const least = [24, 16]

/**
 * The sentence that refuses a Node version that is too old, or undefined when `version` (as `24.21.0`) is new
 * enough.
 */
export function whyTooOld(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined
  return (
    `Evenhand needs Node ${least.join('.')} or later and this is ${version}: install it from ` +
    'nodejs.org, then try again.'
  )
}
