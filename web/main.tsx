import './kit/strict.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { meOptions, recheckSession, watchSession } from './accounts/session.ts'
import { KitRoot } from './kit/kit-root.tsx'
import { createQueryClient } from './kit/query.ts'
import { createAppRouter } from './routes.tsx'
import { watchNavigation } from './shell/navigation.ts'
import { RouterLink } from './shell/router-link.tsx'

const queryClient = createQueryClient()
const router = createAppRouter()

watchSession(queryClient)
watchNavigation(router, () => recheckSession(queryClient))

// Both questions, who asks and which page, are on their way before anything is drawn; the page's outline stands meanwhile.
void queryClient.prefetchQuery(meOptions())
void router.load().then(start)

function start() {
  const place = document.getElementById('root')
  if (!place) throw new Error('index.html has no element #root.')
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider
          router={router}
          InnerWrap={({ children }) => <KitRoot link={RouterLink}>{children}</KitRoot>}
        />
      </QueryClientProvider>
    </StrictMode>,
  )
}
