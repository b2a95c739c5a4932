import type { Organization } from '#contract/organization.ts'

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`
const idOf = (number: number) => `0192f0c0-0000-7000-8000-0000000007${String(number).padStart(2, '0')}`
const entry = { createdAt: at(2), endsAt: null, answer: null }

/** An organization with entries in each state. */
export const aFullOrganization: Organization = {
  shops: [
    {
      id: idOf(1),
      name: 'Quiet Planners',
      address: 'makerlane.example/shop/quiet-planners',
      marketplaceName: 'Makerlane',
    },
  ],
  declarations: [
    { ...entry, id: idOf(2), kind: 'household', namedAs: 'emil', answer: 'confirmed' },
    { ...entry, id: idOf(3), kind: 'household', namedAs: 'greta-designs', answer: 'denied' },
    { ...entry, id: idOf(4), kind: 'household', namedAs: 'juno' },
    { ...entry, id: idOf(5), kind: 'conflict', namedAs: 'ben', endsAt: '2026-12-20T10:00:00Z' },
    {
      ...entry,
      id: idOf(6),
      kind: 'competitor',
      namedAs: 'makerlane.example/shop/a-shop-with-a-long-name-that-sells-planners',
    },
    { ...entry, id: idOf(7), kind: 'competitor', namedAs: 'makerlane.example/listing/448120' },
    {
      ...entry,
      id: idOf(8),
      kind: 'former_shop',
      namedAs: 'makerlane.example/shop/old-name',
      endsAt: '2026-12-11T10:00:00Z',
    },
  ],
  households: [
    { id: idOf(9), by: 'clara', createdAt: at(20), endsAt: null, answer: null },
    { id: idOf(10), by: 'emil', createdAt: at(3), endsAt: null, answer: 'confirmed' },
  ],
  declinedFor: 2,
  limit: { used: 7, most: 8 },
}
