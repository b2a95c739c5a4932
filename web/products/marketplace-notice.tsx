import type { Marketplace } from '#contract/products.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'

type MarketplaceNoticeProps = {
  marketplace: Pick<Marketplace, 'name' | 'policyUrl' | 'policySentence' | 'lane'>
}

/** What a member reads, once per version of a marketplace's policy, before the first product there. */
export function MarketplaceNotice({
  marketplace: { name, policyUrl, policySentence, lane },
}: MarketplaceNoticeProps) {
  return (
    <div className="flex flex-col gap-3 text-14 text-pretty text-ink-2">
      <p>The terms of {name} apply to every exchanged review. In one line, they say:</p>
      <blockquote className="border-l-2 border-accent-line pl-3.5 wrap-anywhere text-ink">
        {policySentence}
      </blockquote>
      <p>
        <TextLink external href={policyUrl}>
          Read the policy of {name}
        </TextLink>
      </p>
      <p>
        {name} may see an exchange otherwise than we do. A review may be removed, and a listing or an account
        may be closed.
      </p>
      <p>
        {lane === 'private'
          ? `Reviews of products there are feedback to you alone and are never posted on ${name}. `
          : 'Each review begins with a sentence that tells how it came about. '}
        Evenhand does not hide that you are a member, and it does not help anyone to hide it.
      </p>
    </div>
  )
}
