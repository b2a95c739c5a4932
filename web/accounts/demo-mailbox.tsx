import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { ComponentProps } from 'react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** Links visitors to the demo's emails. Renders nothing unless the server says that it runs as a demo. */
export function DemoMailbox() {
  const { data: isDemo } = useQuery({
    queryKey: ['accounts', 'demo mailbox'],
    staleTime: Infinity,
    retry: false,
    queryFn: async () => (await fetch('/dev/mail.json', { method: 'HEAD' })).ok,
  })
  return isDemo ? <DemoMailboxLink wide /> : null
}

/** Links to the page that lists all emails of the demo, which sends none of them. */
export function DemoMailboxLink(look: Pick<ComponentProps<typeof LinkButton>, 'wide' | 'size' | 'variant'>) {
  return (
    <LinkButton {...look} href={paths.demoMailbox()} external trailingIcon={<ExternalLink />}>
      Open the demo mailbox
    </LinkButton>
  )
}
