import { useEffect } from 'react'
import { offerManners } from '#contract/matching-rules.ts'

/*
 * How long this browser has shown the dashboard, for a newcomer's first offer. It is kept for all tabs until
 * the member signs out, which clears the site's storage. Without storage it counts in this page.
 */

const key = 'dashboard-seconds'
let inPage = 0

/** The seconds for which the dashboard was visible, up to the minute that counts. */
export function dashboardSeconds(): number {
  return Math.max(inPage, stored())
}

/** Counts while the dashboard is shown and visible. */
export function useDashboardTime(): void {
  // The clock and the tab's visibility are outside React.
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      const seconds = dashboardSeconds() + 1
      if (seconds > offerManners.dashboardSeconds) return clearInterval(timer)
      inPage = seconds
      store(seconds)
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
}

/** Starts again, for the next person who signs in here. */
export function clearDashboardTime(): void {
  inPage = 0
}

function stored(): number {
  try {
    return Number(localStorage.getItem(key)) || 0
  } catch {
    return 0
  }
}

function store(seconds: number): void {
  try {
    localStorage.setItem(key, String(seconds))
  } catch {
    // The browser refuses storage. The page's own count is enough for this visit.
  }
}
