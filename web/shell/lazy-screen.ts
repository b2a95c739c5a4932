import { lazyRouteComponent } from '@tanstack/react-router'

/** The code of a screen cannot be loaded because the server does not answer. */
export class ScreenUnreachable extends Error {}

/**
 * A screen whose code is loaded on the first visit. If a new release removed that code, the router reloads
 * the page. Throws `ScreenUnreachable` if the server does not answer, since a reload would show the browser's
 * error.
 */
export const lazyScreen: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch(async (error: unknown) => {
        throw (await isServerThere())
          ? error
          : new ScreenUnreachable('The server does not answer.', { cause: error })
      }),
    exportName,
  )

/** Whether the server answers within five seconds. */
export function isServerThere(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const timeoutMs = 5_000
