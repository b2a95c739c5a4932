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
  drawCheck: (request?: string) => withSearch('/fairness/check', { request }),
  drawDays: () => '/fairness/draws',
  drawDaysFile: () => '/fairness/draws.json',
  drawDayFile: (day: string) => `/fairness/draws/${day}.json`,
  drawScript: () => '/fairness/verify-draw.mjs',
  ledgerScript: () => '/fairness/verify-ledger.mjs',
  drawReceiptFile: (request: string) => `/api/draws/${request}/receipt.json`,
  ownDrawPlace: () => '/api/draws/me',
  ownDraws: () => '/api/draws',
  drawnPassFile: (pass: string) => `/api/draws/passes/${pass}`,
  articles: () => '/articles',
  article: (slug: string) => `/articles/${slug}`,
  unsubscribe: () => '/unsubscribe',
  receipt: (key: string) => `/receipts/${key}`,
  cards: (key: string, page?: number) => (page && page > 1 ? `/cards/${key}?page=${page}` : `/cards/${key}`),
  cardsPicture: (key: string) => `/cards/${key}.svg`,
  // The screens.
  signIn: (search: SignInSearch = {}) => withSearch('/signin', { ...search }),
  signUp: (search: { returnTo?: string } = {}) => withSearch('/signup', search),
  verifyEmail: (search: { reason?: string; resent?: string; returnTo?: string } = {}) =>
    withSearch('/verify-email', search),
  resetPassword: () => '/reset-password',
  authCallback: (search: { type?: 'not_me' } = {}) => withSearch('/auth/callback', search),
  dashboard: () => '/dashboard',
  assets: () => '/assets',
  discover: (filter: DiscoverFilter = {}) => withSearch('/discover', { ...filter }),
  trending: (filter: Pick<DiscoverFilter, 'category'> = {}) => withSearch('/trending', { ...filter }),
  reviews: (list?: 'received' | 'ledger') => withSearch('/reviews', { list }),
  reviewCards: () => '/reviews/cards',
  review: (id: string) => `/reviews/${id}`,
  receivedReview: (id: string) => `/reviews/received/${id}`,
  moderation: (list?: 'decisions') => (list ? '/moderation?list=decisions' : '/moderation'),
  decision: (id: string) => `/moderation/${id}`,
  analytics: (by?: 'week') => withSearch('/analytics', { by }),
  analyticsFile: (by: 'week' | 'month') => withSearch('/api/analytics.csv', { by }),
  ledgerFile: () => '/api/ledger.csv',
  statementFile: (month?: string) => withSearch('/api/ledger/statement.json', { month }),
  ledgerSeals: () => '/api/ledger-seals',
  signingKeys: () => '/api/signing-keys',
  figures: () => '/api/figures',
  activity: () => '/activity',
  notifications: () => '/notifications',
  cooldown: () => '/cooldown',
  billing: () => '/billing',
  organization: () => '/org',
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

type DiscoverFilter = { category?: string; tag?: string; q?: string }

type SettingsSection = (typeof settingsSections)[number]
/** The sections of the settings after the first, the profile. */
const settingsSections = [
  'security',
  'devices',
  'notifications',
  'offers',
  'availability',
  'language',
  'appearance',
  'data',
  'delete',
] as const

function withSearch(path: string, search: Record<string, string | undefined>) {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}
