import { isDemo } from '#web/kit/ui/is-demo.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'

type PolicyLinkProps = { href: string; children: string }

/** The way to a marketplace's policy; nothing in a demo club, whose marketplaces are made up. */
export function PolicyLink({ href, children }: PolicyLinkProps) {
  if (isDemo()) return null
  return (
    <TextLink external href={href}>
      {children}
    </TextLink>
  )
}
