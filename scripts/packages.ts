// Which packages the bundled processes load from node_modules.
import manifest from '../package.json' with { type: 'json' }

/**
 * All but react-email: its only entry loads every one of its parts, such as a highlighter for hundreds of
 * programming languages. Bundled, only the parts that a mail uses remain.
 */
export const packagesOutside: string[] = Object.keys({
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
}).filter((name) => name !== 'react-email')
