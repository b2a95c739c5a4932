import { ExternalLink } from 'lucide-react'
import type { ComponentProps } from 'react'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** Links visitors to the demo's emails. Renders nothing in a real club. */
export function DemoMailbox() {
  return isDemo() ? <DemoMailboxLink wide /> : null
}

/** Links to the page that lists all emails of the demo, which sends none of them. */
export function DemoMailboxLink(look: Pick<ComponentProps<typeof LinkButton>, 'wide' | 'size' | 'variant'>) {
  return (
    <LinkButton {...look} href={paths.demoMailbox()} external trailingIcon={<ExternalLink />}>
      Open the demo mailbox
    </LinkButton>
  )
}
