import { paths } from '#web/paths.ts'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'

/** In the demo club no mail leaves the house: the way to the page that shows it all. Nothing elsewhere. */
export function DemoMailbox() {
  const { data: isDemo } = useQuery({
    queryKey: ['accounts', 'demo mailbox'],
    staleTime: Infinity,
    retry: false,
    queryFn: async () => (await fetch('/dev/mail.json', { method: 'HEAD' })).ok,
  })
  if (!isDemo) return null
  return (
    <LinkButton href={paths.demoMailbox()} external wide trailingIcon={<ExternalLink />}>
      Open the demo mailbox
    </LinkButton>
  )
}
