import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listedMarketplace } from '#contract/site.ts'
import { useClub } from '#server/testing/club.ts'
import { listMarketplacesPublicly } from './marketplaces.ts'

const club = useClub()

test('anyone can read the public fields of the listed marketplaces, and no others', async () => {
  await sql`insert into marketplaces
      (id, name, host, lane, policy_url, policy_sentence, read_by, read_on, next_check_on, coupon_prices,
        verified_purchase_word, disclosure)
    select gen_random_uuid(), 'A Closed Bazaar', 'bazaar.example', 'closed', 'https://bazaar.example/policy',
      'No exchanges.', 'Ada', '2026-02-28', '2026-05-29', '{0}', verified_purchase_word, disclosure
    from marketplaces limit 1`.execute(club.system.db)
  const [closed, ...others] = await listMarketplacesPublicly(club.system)
  expect(closed).toEqual({
    name: 'A Closed Bazaar',
    host: 'bazaar.example',
    lane: 'closed',
    policyUrl: 'https://bazaar.example/policy',
    policySentence: 'No exchanges.',
    readOn: '2026-02-28',
    couponPrices: [0],
  })
  expect(others).not.toEqual([])
  for (const each of others) listedMarketplace.strict().parse(each)
})
