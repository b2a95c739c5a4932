import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { longestReturnPath } from '#contract/return-path.ts'
import { countLinks, keepLinkSecret } from './accounts/link-secret.ts'
import { followExportLink } from './settings/data/export-link.ts'
import { CrashScreen } from './shell/crash-screen.tsx'
import { GuestLayout } from './shell/guest-layout.tsx'
import { lazyScreen } from './shell/lazy-screen.ts'
import { MemberLayout } from './shell/member-layout.tsx'
import { MessagesScreen } from './shell/messages-screen.tsx'
import { NotFoundScreen } from './shell/not-found-screen.tsx'
import { findProvider } from './sign-in/sign-in-options.ts'

/*
 * Every screen of the product. The code of each is loaded on its first visit. Search parameters are plain
 * text, and unknown ones are dropped.
 */

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen })

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Drops a return path that is too long, since the server would refuse a sign-in with it. */
function returnPath(value: unknown) {
  const path = text(value)
  return path && path.length > longestReturnPath ? undefined : path
}

function oneOf<const T extends string>(values: readonly T[]) {
  return (value: unknown) => values.find((each) => each === value)
}

/** Written without a schema library, which would be a tenth of the code that the first page loads. */
function search<T extends Record<string, (value: unknown) => string | undefined>>(readers: T) {
  return (given: Record<string, unknown>) => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])])
    // `fromEntries` loses the types of the names and results.
    return Object.fromEntries(read) as { [Name in keyof T]?: ReturnType<T[Name]> }
  }
}

// Screens for visitors.

const guest = createRoute({
  getParentRoute: () => root,
  id: 'guest',
  validateSearch: search({ returnTo: returnPath }),
  component: GuestLayout,
})

const signIn = createRoute({
  getParentRoute: () => guest,
  path: '/signin',
  staticData: { title: 'Sign in' },
  validateSearch: search({
    reason: oneOf(['link_expired', 'link_again', 'session_ended']),
    reset: oneOf(['success']),
    error: text,
    twoFactor: oneOf(['1']),
  }),
  loader: findProvider,
  component: lazyScreen(async () => {
    const { SignInScreen } = await import('./sign-in/sign-in-screen.tsx')
    return {
      default: function SignIn(): ReactNode {
        return <SignInScreen {...signIn.useSearch()} provider={signIn.useLoaderData()} />
      },
    }
  }),
})

const signUp = createRoute({
  getParentRoute: () => guest,
  path: '/signup',
  staticData: { title: 'Create account' },
  loader: findProvider,
  component: lazyScreen(async () => {
    const { SignUpScreen } = await import('./sign-in/sign-up-screen.tsx')
    return {
      default: function SignUp(): ReactNode {
        return <SignUpScreen {...signUp.useSearch()} provider={signUp.useLoaderData()} />
      },
    }
  }),
})

const verifyEmail = createRoute({
  getParentRoute: () => guest,
  path: '/verify-email',
  staticData: { title: 'Confirm your email' },
  validateSearch: search({ reason: oneOf(['signup', 'signin_unconfirmed']), resent: oneOf(['1']) }),
  component: lazyScreen(async () => {
    const { VerifyEmailScreen } = await import('./accounts/verify-email-screen.tsx')
    return {
      default: function VerifyEmail(): ReactNode {
        return <VerifyEmailScreen {...verifyEmail.useSearch()} />
      },
    }
  }),
})

const authCallback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  staticData: { title: 'Completing authentication' },
  validateSearch: search({
    type: oneOf(['not_me', 'recovery', 'email_change', 'address']),
    returnTo: returnPath,
    nonce: text,
    error: text,
    twoFactor: oneOf(['1']),
  }),
  beforeLoad: ({ location, search }) => {
    // Removes the link's secret from the address bar before anything is shown.
    if (!location.hash) return { link: countLinks() }
    keepLinkSecret(location.hash)
    throw redirect({ to: '/auth/callback', search, hash: '', replace: true })
  },
  component: lazyScreen(async () => {
    const { CallbackScreen } = await import('./sign-in/callback-screen.tsx')
    return {
      default: function AuthCallback(): ReactNode {
        const { link } = authCallback.useRouteContext()
        // Opening a second link while the screen of the first is shown starts again.
        return <CallbackScreen key={link} {...authCallback.useSearch()} />
      },
    }
  }),
})

// Signed-in members may reset a password too. The link always changes the account that it was sent to.

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  staticData: { title: 'Reset your password' },
  component: lazyScreen(() => import('./accounts/reset/reset-request-screen.tsx'), 'ResetRequestScreen'),
})

const resetPasswordConfirm = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/confirm',
  staticData: { title: 'Set a new password' },
  component: lazyScreen(() => import('./accounts/reset/reset-confirm-screen.tsx'), 'ResetConfirmScreen'),
})

// Screens for members.

const member = createRoute({ getParentRoute: () => root, id: 'member', component: MemberLayout })

const activity = createRoute({
  getParentRoute: () => member,
  path: '/activity',
  staticData: { title: 'Activity' },
  validateSearch: search({ type: oneOf(['reviews', 'matching', 'billing']) }),
  component: lazyScreen(async () => {
    const { ActivityScreen } = await import('./notifications/activity-screen.tsx')
    return {
      default: function Activity(): ReactNode {
        const navigate = activity.useNavigate()
        return (
          <ActivityScreen
            {...activity.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const notifications = createRoute({
  getParentRoute: () => member,
  path: '/notifications',
  staticData: { title: 'Notifications' },
  component: lazyScreen(() => import('./notifications/notifications-screen.tsx'), 'NotificationsScreen'),
})

const support = createRoute({
  getParentRoute: () => member,
  path: '/support',
  staticData: { title: 'Contact Support' },
  component: lazyScreen(() => import('./support/support-screen.tsx'), 'SupportScreen'),
})

const myMessage = createRoute({
  getParentRoute: () => member,
  path: '/support/$id',
  staticData: { title: 'Your message' },
  component: lazyScreen(async () => {
    const { MessageScreen } = await import('./support/message-screen.tsx')
    return {
      default: function MyMessage(): ReactNode {
        const { id } = myMessage.useParams()
        return <MessageScreen key={id} id={id} />
      },
    }
  }),
})

const settings = createRoute({
  getParentRoute: () => member,
  path: '/settings',
  component: lazyScreen(async () => {
    const { SettingsScreen } = await import('./settings/settings-screen.tsx')
    return {
      default: function Settings(): ReactNode {
        return (
          <SettingsScreen>
            <Outlet />
          </SettingsScreen>
        )
      },
    }
  }),
})

const profileSettings = createRoute({
  getParentRoute: () => settings,
  path: '/',
  staticData: { title: 'Profile' },
  beforeLoad: ({ location: { searchStr, hash } }) => {
    const href = followExportLink(searchStr, hash)
    if (href !== null) throw redirect({ href, replace: true })
  },
  component: lazyScreen(() => import('./settings/profile-settings.tsx'), 'ProfileSettings'),
})

const securitySettings = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  staticData: { title: 'Sign-in and security' },
  component: lazyScreen(() => import('./settings/security/security-settings.tsx'), 'SecuritySettings'),
})

const devicesSettings = createRoute({
  getParentRoute: () => settings,
  path: '/devices',
  staticData: { title: 'Devices' },
  component: lazyScreen(() => import('./settings/security/devices-settings.tsx'), 'DevicesSettings'),
})

const notificationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  staticData: { title: 'Notification settings' },
  component: lazyScreen(() => import('./settings/notification-settings.tsx'), 'NotificationSettings'),
})

const offersSettings = createRoute({
  getParentRoute: () => settings,
  path: '/offers',
  staticData: { title: 'Offer settings' },
  component: lazyScreen(() => import('./settings/offers-settings.tsx'), 'OffersSettings'),
})

const availabilitySettings = createRoute({
  getParentRoute: () => settings,
  path: '/availability',
  staticData: { title: 'Availability' },
  component: lazyScreen(() => import('./settings/availability-settings.tsx'), 'AvailabilitySettings'),
})

const languageSettings = createRoute({
  getParentRoute: () => settings,
  path: '/language',
  staticData: { title: 'Language and time' },
  component: lazyScreen(() => import('./settings/language-settings.tsx'), 'LanguageSettings'),
})

const appearanceSettings = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  staticData: { title: 'Appearance' },
  component: lazyScreen(() => import('./settings/appearance-settings.tsx'), 'AppearanceSettings'),
})

const dataSettings = createRoute({
  getParentRoute: () => settings,
  path: '/data',
  staticData: { title: 'Your data' },
  validateSearch: search({ export: text }),
  component: lazyScreen(async () => {
    const { DataSettings } = await import('./settings/data/data-settings.tsx')
    return {
      default: function Data(): ReactNode {
        return <DataSettings exportId={dataSettings.useSearch().export} />
      },
    }
  }),
})

const deleteAccount = createRoute({
  getParentRoute: () => settings,
  path: '/delete',
  staticData: { title: 'Delete account' },
  component: lazyScreen(() => import('./settings/data/delete-account.tsx'), 'DeleteAccount'),
})

const billing = createRoute({
  getParentRoute: () => member,
  path: '/billing',
  staticData: { title: 'Billing' },
  validateSearch: search({ checkout: oneOf(['done', 'cancelled']) }),
  component: lazyScreen(async () => {
    const [{ BillingScreen }, { AcceptedReviews }] = await Promise.all([
      import('./membership/billing-screen.tsx'),
      import('./reviews/accepted-reviews.tsx'),
    ])
    return {
      default: function Billing(): ReactNode {
        return <BillingScreen {...billing.useSearch()} acceptedReviews={<AcceptedReviews />} />
      },
    }
  }),
})

const organization = createRoute({
  getParentRoute: () => member,
  path: '/org',
  staticData: { title: 'Organization' },
  component: lazyScreen(() => import('./organization/organization-screen.tsx'), 'OrganizationScreen'),
})

const memberPage = createRoute({
  getParentRoute: () => member,
  path: '/members/$username',
  staticData: { title: 'Member' },
  component: lazyScreen(async () => {
    const { MemberScreen } = await import('./members/member-screen.tsx')
    return {
      default: function Member(): ReactNode {
        const { username } = memberPage.useParams()
        return <MemberScreen key={username} username={username} />
      },
    }
  }),
})

const dashboard = createRoute({
  getParentRoute: () => member,
  path: '/dashboard',
  staticData: { title: 'Dashboard' },
  validateSearch: search({ offer: text }),
  component: lazyScreen(async () => {
    const { DashboardScreen } = await import('./reviews/dashboard-screen.tsx')
    return {
      default: function Dashboard(): ReactNode {
        const navigate = dashboard.useNavigate()
        return (
          <DashboardScreen
            {...dashboard.useSearch()}
            onOffer={() => void navigate({ search: {}, replace: true })}
          />
        )
      },
    }
  }),
})

const assets = createRoute({
  getParentRoute: () => member,
  path: '/assets',
  staticData: { title: 'My Products' },
  component: lazyScreen(() => import('./products/assets-screen.tsx'), 'AssetsScreen'),
})

const discover = createRoute({
  getParentRoute: () => member,
  path: '/discover',
  staticData: { title: 'Discover' },
  validateSearch: search({ category: text, tag: text, q: text, product: text }),
  component: lazyScreen(async () => {
    const { DiscoverScreen } = await import('./products/discover/discover-screen.tsx')
    return {
      default: function Discover(): ReactNode {
        const navigate = discover.useNavigate()
        return (
          <DiscoverScreen
            {...discover.useSearch()}
            onSearch={(search, how) =>
              void navigate({ search, replace: how === 'replace', resetScroll: false })
            }
          />
        )
      },
    }
  }),
})

const trending = createRoute({
  getParentRoute: () => member,
  path: '/trending',
  staticData: { title: 'Trending' },
  validateSearch: search({ category: text, product: text }),
  component: lazyScreen(async () => {
    const { TrendingScreen } = await import('./products/discover/trending-screen.tsx')
    return {
      default: function Trending(): ReactNode {
        const navigate = trending.useNavigate()
        return (
          <TrendingScreen
            {...trending.useSearch()}
            onSearch={(search, how) =>
              void navigate({ search, replace: how === 'replace', resetScroll: false })
            }
            onTag={(tag) => void navigate({ to: '/discover', search: { tag } })}
          />
        )
      },
    }
  }),
})

const cooldown = createRoute({
  getParentRoute: () => member,
  path: '/cooldown',
  staticData: { title: 'Cooldown Status' },
  component: lazyScreen(() => import('./matching/cooldown-screen.tsx'), 'CooldownScreen'),
})

const reviews = createRoute({
  getParentRoute: () => member,
  path: '/reviews',
  staticData: { title: 'Reviews' },
  validateSearch: search({
    list: oneOf(['received', 'ledger']),
    state: oneOf(['pending', 'purchased', 'reviewed', 'returned', 'verified', 'lapsed']),
    q: text,
    finished: oneOf(['1']),
  }),
  component: lazyScreen(async () => {
    const { ReviewsScreen } = await import('./reviews/reviews-screen.tsx')
    return {
      default: function Reviews(): ReactNode {
        const navigate = reviews.useNavigate()
        return (
          <ReviewsScreen
            {...reviews.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const reviewCards = createRoute({
  getParentRoute: () => member,
  path: '/reviews/cards',
  staticData: { title: 'Review cards' },
  component: lazyScreen(() => import('./reviews/lists/review-cards-screen.tsx'), 'ReviewCardsScreen'),
})

const analytics = createRoute({
  getParentRoute: () => member,
  path: '/analytics',
  staticData: { title: 'Analytics' },
  validateSearch: search({ by: oneOf(['week']) }),
  component: lazyScreen(async () => {
    const { AnalyticsScreen } = await import('./analytics/analytics-screen.tsx')
    return {
      default: function Analytics(): ReactNode {
        const navigate = analytics.useNavigate()
        return (
          <AnalyticsScreen
            {...analytics.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const review = createRoute({
  getParentRoute: () => member,
  path: '/reviews/$id',
  staticData: { title: 'Review' },
  component: lazyScreen(async () => {
    const [{ ReviewScreen }, { MyCaseNotice }, { ListingReport }] = await Promise.all([
      import('./reviews/review-screen.tsx'),
      import('./moderation/my-case.tsx'),
      import('./moderation/listing-report.tsx'),
    ])
    return {
      default: function Review(): ReactNode {
        const { id } = review.useParams()
        return (
          <ReviewScreen
            key={id}
            id={id}
            about={(review) => <MyCaseNotice review={review} />}
            listing={(review) => <ListingReport review={review} />}
          />
        )
      },
    }
  }),
})

const receivedReview = createRoute({
  getParentRoute: () => member,
  path: '/reviews/received/$id',
  staticData: { title: 'Received review' },
  component: lazyScreen(async () => {
    const [{ ReceivedReviewScreen }, { ReceivedReviewReport }] = await Promise.all([
      import('./reviews/received-review-screen.tsx'),
      import('./moderation/received-review-report.tsx'),
    ])
    return {
      default: function ReceivedReview(): ReactNode {
        const { id } = receivedReview.useParams()
        return (
          <ReceivedReviewScreen
            key={id}
            id={id}
            reports={(review) => <ReceivedReviewReport review={review} />}
          />
        )
      },
    }
  }),
})

const moderation = createRoute({
  getParentRoute: () => member,
  path: '/moderation',
  staticData: { title: 'Reports' },
  validateSearch: search({ list: oneOf(['decisions']) }),
  component: lazyScreen(async () => {
    const { ModerationScreen } = await import('./moderation/moderation-screen.tsx')
    return {
      default: function Moderation(): ReactNode {
        const navigate = moderation.useNavigate()
        return (
          <ModerationScreen
            {...moderation.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const decision = createRoute({
  getParentRoute: () => member,
  path: '/moderation/$id',
  staticData: { title: 'Decision' },
  component: lazyScreen(async () => {
    const { DecisionScreen } = await import('./moderation/decision-screen.tsx')
    return {
      default: function Decision(): ReactNode {
        const { id } = decision.useParams()
        return <DecisionScreen key={id} id={id} />
      },
    }
  }),
})

const articles = createRoute({
  getParentRoute: () => member,
  path: '/articles',
  staticData: { title: 'Articles' },
  validateSearch: search({ category: oneOf(['How-To', 'Policy', 'FAQ']) }),
  component: lazyScreen(async () => {
    const { ArticlesScreen } = await import('./articles/articles-screen.tsx')
    return {
      default: function Articles(): ReactNode {
        const navigate = articles.useNavigate()
        return (
          <ArticlesScreen
            {...articles.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const article = createRoute({
  getParentRoute: () => member,
  path: '/articles/$slug',
  staticData: { title: 'Article' },
  loader: async ({ params }) => {
    const { findArticle } = await import('./articles/texts.ts')
    const found = findArticle(params.slug)
    if (!found) throw notFound({ routeId: root.id })
    return found
  },
  component: lazyScreen(async () => {
    const { ArticleScreen } = await import('./articles/article-screen.tsx')
    return {
      default: function OneArticle(): ReactNode {
        return <ArticleScreen article={article.useLoaderData()} />
      },
    }
  }),
})

const messages = createRoute({
  getParentRoute: () => member,
  path: '/messages',
  staticData: { title: 'Messages' },
  component: MessagesScreen,
})

const messagesBelow = createRoute({
  getParentRoute: () => member,
  path: '/messages/$',
  staticData: { title: 'Messages' },
  component: MessagesScreen,
})

// The staff area. Its code is apart from the members'.

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyScreen(() => import('./admin/admin-layout.tsx'), 'AdminLayout'),
})

const adminIndex = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users', replace: true })
  },
})

const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  staticData: { title: 'Users' },
  validateSearch: search({
    search: text,
    sort: oneOf(['email', 'name', 'role', 'created']),
    direction: oneOf(['asc', 'desc']),
  }),
  component: lazyScreen(async () => {
    const { UsersScreen } = await import('./admin/users/users-screen.tsx')
    return {
      default: function AdminUsers(): ReactNode {
        const navigate = adminUsers.useNavigate()
        return (
          <UsersScreen
            {...adminUsers.useSearch()}
            onFilter={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminMember = createRoute({
  getParentRoute: () => admin,
  path: '/users/$id',
  staticData: { title: 'Member' },
  validateSearch: search({
    tab: oneOf(['ledger', 'requests', 'reviews', 'offers', 'mails', 'activity', 'staff']),
  }),
  component: lazyScreen(async () => {
    const { MemberScreen } = await import('./admin/members/member-screen.tsx')
    return {
      default: function AdminMember(): ReactNode {
        const navigate = adminMember.useNavigate()
        const { tab = 'overview' } = adminMember.useSearch()
        return (
          <MemberScreen
            id={adminMember.useParams().id}
            tab={tab}
            onTab={(next) =>
              void navigate({ search: next === 'overview' ? {} : { tab: next }, replace: true })
            }
          />
        )
      },
    }
  }),
})

const adminExchanges = createRoute({
  getParentRoute: () => admin,
  path: '/exchanges',
  staticData: { title: 'Exchanges' },
  validateSearch: search({
    search: text,
    state: oneOf([
      'queued',
      'held',
      'offered',
      'pending',
      'purchased',
      'reviewed',
      'returned',
      'verified',
      'lapsed',
      'cancelled',
    ]),
  }),
  component: lazyScreen(async () => {
    const { ExchangesScreen } = await import('./admin/exchanges/exchanges-screen.tsx')
    return {
      default: function AdminExchanges(): ReactNode {
        const navigate = adminExchanges.useNavigate()
        return (
          <ExchangesScreen
            {...adminExchanges.useSearch()}
            onFilter={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminExchange = createRoute({
  getParentRoute: () => admin,
  path: '/exchanges/$id',
  staticData: { title: 'Exchange' },
  component: lazyScreen(async () => {
    const { ExchangeScreen } = await import('./admin/exchanges/exchange-screen.tsx')
    return {
      default: function AdminExchange(): ReactNode {
        return <ExchangeScreen id={adminExchange.useParams().id} />
      },
    }
  }),
})

const adminLogs = createRoute({
  getParentRoute: () => admin,
  path: '/logs',
  staticData: { title: 'Activity Logs' },
  validateSearch: search({ search: text, action: text }),
  component: lazyScreen(async () => {
    const { LogsScreen } = await import('./admin/logs/logs-screen.tsx')
    return {
      default: function AdminLogs(): ReactNode {
        const navigate = adminLogs.useNavigate()
        return (
          <LogsScreen
            {...adminLogs.useSearch()}
            onFilter={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminSupport = createRoute({
  getParentRoute: () => admin,
  path: '/support',
  staticData: { title: 'Support' },
  validateSearch: search({
    search: text,
    status: oneOf(['open', 'resolved']),
    assigned: oneOf(['me', 'no_one']),
    order: oneOf(['newest', 'oldest']),
  }),
  component: lazyScreen(async () => {
    const { SupportScreen } = await import('./admin/support/support-screen.tsx')
    return {
      default: function AdminSupport(): ReactNode {
        const navigate = adminSupport.useNavigate()
        return (
          <SupportScreen
            {...adminSupport.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminThread = createRoute({
  getParentRoute: () => admin,
  path: '/support/$id',
  staticData: { title: 'Message' },
  component: lazyScreen(async () => {
    const { ThreadScreen } = await import('./admin/support/thread-screen.tsx')
    return {
      default: function AdminThread(): ReactNode {
        const { id } = adminThread.useParams()
        return <ThreadScreen key={id} id={id} />
      },
    }
  }),
})

const adminHealth = createRoute({
  getParentRoute: () => admin,
  path: '/health',
  staticData: { title: 'Health' },
  component: lazyScreen(() => import('./admin/health/health-screen.tsx'), 'HealthScreen'),
})

const adminMarketplaces = createRoute({
  getParentRoute: () => admin,
  path: '/marketplaces',
  staticData: { title: 'Marketplaces' },
  component: lazyScreen(() => import('./admin/marketplaces/marketplaces-screen.tsx'), 'MarketplacesScreen'),
})

const adminNewMarketplace = createRoute({
  getParentRoute: () => admin,
  path: '/marketplaces/new',
  staticData: { title: 'Add marketplace' },
  component: lazyScreen(() => import('./admin/marketplaces/entry-screens.tsx'), 'NewMarketplaceScreen'),
})

const adminMarketplace = createRoute({
  getParentRoute: () => admin,
  path: '/marketplaces/$id',
  staticData: { title: 'Marketplace' },
  component: lazyScreen(async () => {
    const { MarketplaceScreen } = await import('./admin/marketplaces/marketplace-screen.tsx')
    return {
      default: function AdminMarketplace(): ReactNode {
        const { id } = adminMarketplace.useParams()
        return <MarketplaceScreen key={id} id={id} />
      },
    }
  }),
})

const adminEditMarketplace = createRoute({
  getParentRoute: () => admin,
  path: '/marketplaces/$id/edit',
  staticData: { title: 'Change marketplace' },
  component: lazyScreen(async () => {
    const { EditMarketplaceScreen } = await import('./admin/marketplaces/entry-screens.tsx')
    return {
      default: function AdminEditMarketplace(): ReactNode {
        const { id } = adminEditMarketplace.useParams()
        return <EditMarketplaceScreen key={id} id={id} />
      },
    }
  }),
})

const adminCases = createRoute({
  getParentRoute: () => admin,
  path: '/moderation',
  staticData: { title: 'Moderation' },
  validateSearch: search({ tab: oneOf(['mine', 'decided', 'appeals']) }),
  component: lazyScreen(async () => {
    const { CasesScreen } = await import('./admin/moderation/cases-screen.tsx')
    return {
      default: function Cases(): ReactNode {
        const navigate = adminCases.useNavigate()
        return (
          <CasesScreen
            {...adminCases.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminFlags = createRoute({
  getParentRoute: () => admin,
  path: '/moderation/flags',
  staticData: { title: 'Flags' },
  validateSearch: search({
    state: oneOf(['closed']),
    kind: oneOf(['similar_text', 'quick_use', 'similar_proof', 'ring', 'listing_claim', 'broken_listing']),
    flag: text,
  }),
  component: lazyScreen(async () => {
    const { FlagsScreen } = await import('./admin/moderation/flags-screen.tsx')
    return {
      default: function Flags(): ReactNode {
        const navigate = adminFlags.useNavigate()
        return (
          <FlagsScreen
            {...adminFlags.useSearch()}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
        )
      },
    }
  }),
})

const adminMoney = createRoute({
  getParentRoute: () => admin,
  path: '/money',
  staticData: { title: 'Money' },
  component: lazyScreen(() => import('./admin/money/money-screen.tsx'), 'MoneyScreen'),
})

const adminCase = createRoute({
  getParentRoute: () => admin,
  path: '/moderation/$id',
  staticData: { title: 'Case' },
  component: lazyScreen(async () => {
    const { CaseScreen } = await import('./admin/moderation/case-screen.tsx')
    return {
      default: function Case(): ReactNode {
        const { id } = adminCase.useParams()
        return <CaseScreen key={id} id={id} />
      },
    }
  }),
})

const anyOther = createRoute({
  getParentRoute: () => root,
  path: '$',
  staticData: { title: 'Page not found' },
  component: NotFoundScreen,
})

const tree = root.addChildren([
  guest.addChildren([signIn, signUp, verifyEmail]),
  authCallback,
  resetPassword,
  resetPasswordConfirm,
  member.addChildren([
    dashboard,
    assets,
    discover,
    trending,
    reviews,
    reviewCards,
    analytics,
    receivedReview,
    review,
    moderation,
    decision,
    activity,
    notifications,
    cooldown,
    articles,
    article,
    support,
    myMessage,
    billing,
    organization,
    settings.addChildren([
      profileSettings,
      securitySettings,
      devicesSettings,
      notificationSettings,
      offersSettings,
      availabilitySettings,
      languageSettings,
      appearanceSettings,
      dataSettings,
      deleteAccount,
    ]),
    memberPage,
    messages,
    messagesBelow,
  ]),
  admin.addChildren([
    adminIndex,
    adminUsers,
    adminCases,
    adminCase,
    adminMember,
    adminExchanges,
    adminExchange,
    adminFlags,
    adminLogs,
    adminSupport,
    adminThread,
    adminMarketplaces,
    adminNewMarketplace,
    adminMarketplace,
    adminEditMarketplace,
    adminMoney,
    adminHealth,
  ]),
  anyOther,
  ...(import.meta.env.DEV ? [kit()] : []),
])

/** @param history the source of addresses, instead of the browser's. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    history,
    routeTree: tree,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: CrashScreen,
    // Parameters stay text: the router would read `?returnTo=1` as a number and write objects as JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined)
      return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
    },
  })
}

/** Every component of the kit in every state. As a function, it is removed from the production build. */
function kit() {
  return createRoute({
    getParentRoute: () => root,
    path: '/kit',
    staticData: { title: 'Kit' },
    component: lazyScreen(() => import('./kit/kit-screen.tsx'), 'KitScreen'),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The window title without the product's name. */
    title?: string
  }
}
