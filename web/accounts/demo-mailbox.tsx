import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { ComponentProps } from 'react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** The way to the mails of the demo club, for who is not signed in: the server is asked whether this is one. Else nothing. */
export function DemoMailbox() {
  const { data: isDemo } = useQuery({
    queryKey: ['accounts', 'demo mailbox'],
    staleTime: Infinity,
    retry: false,
    queryFn: async () => (await fetch('/dev/mail.json', { method: 'HEAD' })).ok,
  })
  return isDemo ? <DemoMailboxLink wide /> : null
}

/** In the demo club no mail leaves the house: the way to the page that shows them all. */
export function DemoMailboxLink(look: Pick<ComponentProps<typeof LinkButton>, 'wide' | 'size' | 'variant'>) {
  return (
    <LinkButton {...look} href={paths.demoMailbox()} external trailingIcon={<ExternalLink />}>
      Open the demo mailbox
    </LinkButton>
  )
}
