import { lazyRouteComponent } from '@tanstack/react-router'

/** The code of a screen cannot be fetched, and it is not the code: nobody answers. */
export class ScreenUnreachable extends Error {}

/**
 * A screen that is fetched when it is first gone to. A part that the server has no more, since it has a newer one, loads the
 * page again, as the router does. Without a server that would end on the browser's own page of an error, with nothing
 * left of the club: then it throws `ScreenUnreachable`.
 */
export const lazyScreen: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch(async (error: unknown) => {
        throw (await isServerThere()) ? error : new ScreenUnreachable('Nobody answers.', { cause: error })
      }),
    exportName,
  )

/** Whether anybody answers at all, within a few seconds. */
export function isServerThere(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const patienceMs = 5_000
