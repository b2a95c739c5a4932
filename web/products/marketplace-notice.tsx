import type { Marketplace } from '#contract/products.ts'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'

type MarketplaceNoticeProps = {
  marketplace: Pick<Marketplace, 'name' | 'policyUrl' | 'policySentence' | 'lane'>
}

/** The notice before a member's first product on a marketplace. Shown once per version of its policy. */
export function MarketplaceNotice({
  marketplace: { name, policyUrl, policySentence, lane },
}: MarketplaceNoticeProps) {
  return (
    <div className="flex flex-col gap-3 text-14 text-pretty text-ink-2">
      <p>{name}’s terms apply to every exchanged review. In short, they say:</p>
      <blockquote className="border-l-2 border-accent-line pl-3.5 wrap-anywhere text-ink">
        {policySentence}
      </blockquote>
      <p className="empty:hidden">
        <PolicyLink href={policyUrl}>{`Read ${name}’s policy`}</PolicyLink>
      </p>
      <p>
        {name} may not see exchanged reviews the way we do. It can remove a review, or close a listing or an
        account.
      </p>
      <p>
        {lane === 'private'
          ? `Reviews of products there are feedback for you only and are never posted on ${name}. `
          : 'Each review begins with a sentence that says it comes from an exchange. '}
        Evenhand doesn’t hide that you are a member, and doesn’t help anyone hide it.
      </p>
    </div>
  )
}

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
