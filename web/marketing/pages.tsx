import { paths } from '#web/paths.ts'
import { HomePage } from './home-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import type { Page } from './page.ts'

/** Every public page. */
export const pages: readonly Page[] = [
  {
    path: paths.home(),
    title: 'Evenhand: one honest review given, one received',
    description:
      'A membership club in which sellers of digital products exchange honest, verified-purchase reviews by a fair, random rotation.',
    Content: HomePage,
    live: 'figures',
  },
]

export const notFoundPage: Page = {
  path: '/404',
  title: 'Page not found',
  description: 'Nothing is at this address.',
  hidden: true,
  Content: NotFoundPage,
}
