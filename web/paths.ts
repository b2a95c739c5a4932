import type { CsvName } from '#contract/rights.ts'

/** Every address of the product, in one place. */
export const paths = {
  // The public pages.
  home: () => '/',
  howItWorks: () => '/#features',
  faq: () => '/#faq',
  features: () => '/features',
  pricing: () => '/pricing',
  privacy: () => '/privacy',
  terms: () => '/terms',
  security: () => '/security',
  contact: () => '/contact',
  status: () => '/status',
  help: () => '/help',
  helpTopic: (slug: string) => `/help#${slug}`,
  rules: () => '/rules',
  fairness: () => '/fairness',
  articles: () => '/articles',
  article: (slug: string) => `/articles/${slug}`,
  unsubscribe: () => '/unsubscribe',
  // The screens.
  signIn: (search: SignInSearch = {}) => withSearch('/signin', { ...search }),
  signUp: (search: { returnTo?: string } = {}) => withSearch('/signup', search),
  verifyEmail: (search: { reason?: string; resent?: string; returnTo?: string } = {}) =>
    withSearch('/verify-email', search),
  resetPassword: () => '/reset-password',
  authCallback: (search: { type?: 'not_me' } = {}) => withSearch('/auth/callback', search),
  dashboard: () => '/dashboard',
  assets: () => '/assets',
  reviews: (list?: 'received') => (list ? '/reviews?list=received' : '/reviews'),
  review: (id: string) => `/reviews/${id}`,
  receivedReview: (id: string) => `/reviews/received/${id}`,
  moderation: (list?: 'decisions') => (list ? '/moderation?list=decisions' : '/moderation'),
  decision: (id: string) => `/moderation/${id}`,
  activity: () => '/activity',
  notifications: () => '/notifications',
  cooldown: () => '/cooldown',
  billing: () => '/billing',
  settings: (section?: SettingsSection) => (section ? `/settings/${section}` : '/settings'),
  dataExport: (id: string) => withSearch('/settings/data', { export: id }),
  member: (username: string) => `/members/${encodeURIComponent(username)}`,
  support: () => '/support',
  myMessage: (id: string) => `/support/${id}`,
  // The staff area.
  adminUsers: () => '/admin/users',
  adminSupport: () => '/admin/support',
  adminThread: (id: string) => `/admin/support/${id}`,
  adminHealth: () => '/admin/health',
  adminMarketplaces: () => '/admin/marketplaces',
  adminNewMarketplace: () => '/admin/marketplaces/new',
  adminMarketplace: (id: string) => `/admin/marketplaces/${id}`,
  adminEditMarketplace: (id: string) => `/admin/marketplaces/${id}/edit`,
  adminCases: (tab?: string) => withSearch('/admin/moderation', { tab }),
  adminCase: (id: string) => `/admin/moderation/${id}`,
  proof: (id: string) => `/api/proofs/${id}`,
  adminUser: (id: string) => `/admin/users/${id}`,
  adminExchanges: () => '/admin/exchanges',
  adminExchange: (id: string) => `/admin/exchanges/${id}`,
  proofInFrame: (id: string) => `/api/proofs/${id}?view=frame`,
  adminLogs: () => '/admin/logs',
  adminMoney: () => '/admin/money',
  adminFlags: () => '/admin/moderation/flags',
  adminFlag: (id: string, state?: 'closed') => withSearch('/admin/moderation/flags', { state, flag: id }),
  csvFile: (name: CsvName, filter: Record<string, string | undefined>) =>
    withSearch(`/api/admin/${name}.csv`, filter),
  demoMailbox: () => '/dev/mail',
  image: (id: string, width: 320 | 640 | 1280) => `/images/${id}-${width}.webp`,
  avatar: (key: string, width: 64 | 256) => `/avatars/${key}-${width}.webp`,
}

type SignInSearch = {
  returnTo?: string
  reason?: string
  reset?: 'success'
  error?: string
  twoFactor?: '1'
}

type SettingsSection = (typeof settingsSections)[number]
/** The sections of the settings after the first, the profile. */
const settingsSections = [
  'security',
  'devices',
  'notifications',
  'offers',
  'language',
  'appearance',
  'data',
  'delete',
] as const

function withSearch(path: string, search: Record<string, string | undefined>) {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}
