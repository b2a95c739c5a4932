import { demoShopPath } from '#contract/demo.ts'
import { isDemo } from '#web/kit/ui/is-demo.ts'

/** Where the link of a listing opens: on the marketplace, or in the demo's own shop, which stands for it. */
export function listingHref(link: string): string {
  return (isDemo() && demoShopPath(link)) || link
}
