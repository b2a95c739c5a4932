import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import type { RouterHistory } from '@tanstack/react-router'
import { RouterProvider } from '@tanstack/react-router'
import { recheckSession, watchSession } from './accounts/session.ts'
import { KitRoot } from './kit/kit-root.tsx'
import { createQueryClient } from './kit/query.ts'
import { meOptions } from './members/me.ts'
import { createAppRouter } from './routes.tsx'
import { watchNavigation } from './shell/navigation.ts'
import { RouterLink } from './shell/router-link.tsx'

type App = { queryClient: QueryClient; router: ReturnType<typeof createAppRouter> }

/**
 * Prepares the app for rendering. Requests the signed-in member and the page's code at the same time.
 * Resolves once the code is loaded.
 * @param history the source of addresses, instead of the browser's.
 */
export async function prepareApp(history?: RouterHistory): Promise<App> {
  const queryClient = createQueryClient()
  const router = createAppRouter(history)
  watchSession(queryClient)
  watchNavigation(router, () => recheckSession(queryClient))
  void queryClient.prefetchQuery(meOptions())
  await router.load()
  return { queryClient, router }
}

export function App({ queryClient, router }: App) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider
        router={router}
        InnerWrap={({ children }) => <KitRoot link={RouterLink}>{children}</KitRoot>}
      />
    </QueryClientProvider>
  )
}
