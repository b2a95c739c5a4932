import { useSyncExternalStore } from 'react'

type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

/** The chosen theme; `system` without a choice. */
function readTheme(): Theme {
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1]
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/**
 * Sets the theme now and for later visits, in a cookie that `public/theme.js` reads before the first paint.
 */
function setTheme(theme: Theme): void {
  const age = theme === 'system' ? 0 : 60 * 60 * 24 * 365
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    readTheme,
    () => 'system' as const,
  )
  return [theme, setTheme]
}
