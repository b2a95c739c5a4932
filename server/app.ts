// The composition: one line a module. No other file imports all modules.
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { PageRenderer } from '#contract/pages.ts'
import { mountCsvFiles } from './admin/csv-export.ts'
import { csvFiles } from './admin/csv-files.ts'
import { healthProcedures } from './admin/health-procedures.ts'
import { adminJobs } from './admin/jobs.ts'
import { moneyProcedures } from './admin/money-procedures.ts'
import { logProcedures, userProcedures } from './admin/procedures.ts'
import { exchangeProcedures } from './admin/exchange-procedures.ts'
import { memberPageProcedures } from './admin/member-procedures.ts'
import { mountAnalyticsFile } from './analytics/analytics-file.ts'
import { analyticsJobs } from './analytics/jobs.ts'
import { analyticsProcedures } from './analytics/procedures.ts'
import { accountJobs } from './accounts/jobs.ts'
import { accountMails, mailsThatConfirm } from './accounts/mails.ts'
import { accountProcedures } from './accounts/procedures.ts'
import type { Authentication } from './accounts/authenticate.ts'
import { readSessionToken } from './accounts/cookies.ts'
import { sessionHint } from './accounts/session-hint.ts'
import { withDemoMark } from './demo/marked-shell.ts'
import { checkoutPath, mountShop } from './demo/shop.tsx'
import { mountApiDocs } from './dev/api-docs.ts'
import { mountMailbox } from './dev/mailbox.tsx'
import { mountStaffPage } from './dev/staff-page.tsx'
import { housekeepingJobs } from './kit/housekeeping.ts'
import { allCalls } from './kit/http/api.ts'
import type { Router } from './kit/http/api.ts'
import type { HttpApp, HttpParts } from './kit/http/http.ts'
import { httpApp } from './kit/http/http.ts'
import type { Job } from './kit/jobs.ts'
import { sendMailsJob } from './kit/mail/mail.ts'
import type { MailTemplates } from './kit/mail/mail.ts'
import { limitedPage } from './kit/http/page-limit.ts'
import { mountStatic } from './kit/http/static.ts'
import type { StaticFiles } from './kit/http/static.ts'
import { matchingJobs } from './matching/jobs.ts'
import { matchingMails } from './matching/mails.ts'
import { matchingProcedures } from './matching/procedures.ts'
import { whyNotAsk } from './matching/reads.ts'
import { mountPublicList, mountReceiptFiles } from './matching/draw-files.ts'
import { mountAvatars } from './members/avatar.ts'
import { memberJobs } from './members/jobs.ts'
import { memberMails } from './members/mails.ts'
import { memberProcedures } from './members/procedures.ts'
import { mountInvoices } from './membership/invoice-files.ts'
import { membershipJobs } from './membership/jobs.ts'
import { membershipMails } from './membership/mails.ts'
import { membershipProcedures } from './membership/procedures.ts'
import { stripeWebhook } from './membership/webhook.ts'
import { flagJobs, flagProcedures } from './moderation/flag-procedures.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { notificationProcedures } from './notifications/procedures.ts'
import { organizationJobs } from './organization/jobs.ts'
import { organizationProcedures } from './organization/procedures.ts'
import { mountExports } from './privacy/download.ts'
import { privacyJobs } from './privacy/jobs.ts'
import { moderationJobs } from './moderation/jobs.ts'
import { moderationMails } from './moderation/mails.ts'
import { caseProcedures, moderationProcedures } from './moderation/procedures.ts'
import { privacyMails } from './privacy/mails.ts'
import { privacyProcedures } from './privacy/procedures.ts'
import { mountImages } from './products/images.ts'
import { productJobs } from './products/jobs.ts'
import { productMails } from './products/mails.ts'
import { discoverProcedures, marketplaceProcedures, productProcedures } from './products/procedures.ts'
import { reviewMails } from './reviews/mails.ts'
import { reviewJobs } from './reviews/jobs.ts'
import { reviewProcedures } from './reviews/procedures.ts'
import { mountLedgerFiles } from './reviews/ledger-files.ts'
import { mountProofs } from './reviews/proof-files.ts'
import { searchProcedures } from './search/procedures.ts'
import type { Auth } from './sign-in/better-auth.ts'
import { signInJobs } from './sign-in/jobs.ts'
import { signInMails } from './sign-in/mails.ts'
import { signInProcedures } from './sign-in/procedures.ts'
import { mountAuth } from './sign-in/sign-in.ts'
import { inTime } from './site/checks.ts'
import { mountCards } from './site/card-pages.ts'
import { mountCheckScripts } from './site/check-scripts.ts'
import { listLatestDays } from './site/draw-days.ts'
import { contactNotTaken, contactPath, mountContact } from './site/contact-page.ts'
import { problemPage } from './site/error-page.ts'
import { getPublicStatistics } from './site/statistics.ts'
import { listMarketplacesPublicly } from './site/marketplaces.ts'
import type { Outside } from './site/jobs.ts'
import { siteJobs } from './site/jobs.ts'
import type { Pages } from './site/pages.ts'
import { mountPages } from './site/pages.ts'
import { siteProcedures } from './site/procedures.ts'
import { mountReceipts } from './site/receipt-page.ts'
import { mountRobots } from './site/robots.ts'
import { readStatusShared } from './site/status.ts'
import { mountUnsubscribe } from './site/unsubscribe-page.ts'
import { supportJobs } from './support/jobs.ts'
import { supportMails } from './support/mails.ts'
import { supportDeskProcedures, supportProcedures } from './support/procedures.ts'

export const router: Router = {
  members: memberProcedures,
  accounts: accountProcedures,
  signIn: signInProcedures,
  notifications: notificationProcedures,
  membership: membershipProcedures,
  products: productProcedures(whyNotAsk),
  discover: discoverProcedures,
  organization: organizationProcedures,
  matching: matchingProcedures,
  reviews: reviewProcedures,
  support: supportProcedures,
  moderation: moderationProcedures,
  analytics: analyticsProcedures,
  privacy: privacyProcedures,
  search: searchProcedures,
  site: siteProcedures,
  users: userProcedures,
  logs: logProcedures,
  memberPages: memberPageProcedures,
  exchanges: exchangeProcedures,
  cases: caseProcedures,
  flags: flagProcedures,
  supportDesk: supportDeskProcedures,
  marketplaces: marketplaceProcedures,
  money: moneyProcedures,
  health: healthProcedures,
}

export const mails: MailTemplates = {
  ...memberMails,
  ...accountMails,
  ...signInMails,
  ...membershipMails,
  ...productMails,
  ...matchingMails,
  ...reviewMails,
  ...supportMails,
  ...moderationMails,
  ...privacyMails,
}

/** Every job of the club. */
export function allJobs(outside: Outside): Job[] {
  return [
    sendMailsJob(mails, outside.transport, mailsThatConfirm),
    ...memberJobs,
    ...accountJobs,
    ...signInJobs,
    ...notificationJobs,
    ...membershipJobs,
    ...productJobs,
    ...organizationJobs,
    ...matchingJobs,
    ...reviewJobs,
    ...supportJobs,
    ...analyticsJobs,
    ...adminJobs,
    ...moderationJobs,
    ...flagJobs,
    ...siteJobs(outside),
    ...privacyJobs,
    ...housekeepingJobs,
  ]
}

type WebParts = Pick<HttpParts, 'kit' | 'config' | 'log' | 'live' | 'overload' | 'isReady' | 'isStopping'> & {
  auth: Auth
  who: Authentication
  build: StaticFiles
  screenRoots: readonly string[]
  /** Renders the public pages; null when another process serves the web from its sources. */
  pages: PageRenderer | null
}

/** The web process's application: the HTTP edge, the contract's calls, and the few other routes. */
export function webApp({ auth, who, build, screenRoots, pages, ...parts }: WebParts): HttpApp {
  let site: Pages | null = null
  return httpApp({
    ...parts,
    router,
    authenticate: who.authenticate,
    carriesSession: (headers) => readSessionToken(parts.config, headers) !== null,
    cookiesAfter: (ctx, asked, answered) =>
      sessionHint(ctx, { asked, answered, authenticate: who.authenticate }),
    uploads: ['/api/products/:id/image', '/api/reviews/:id/proof', '/api/settings/avatar'],
    forms: parts.config.mode === 'demo' ? [contactPath, checkoutPath] : [contactPath],
    async errorPage(c, problem) {
      if (!site) return null
      if (problem.status === 404) return site.missing(c)
      return c.req.method === 'POST' && c.req.path === contactPath
        ? contactNotTaken(c, problem, site)
        : problemPage(c, problem, site)
    },
    signed: [stripeWebhook],
    mount(app) {
      mountAuth(app, auth)
      mountProofs(app)
      mountLedgerFiles(app)
      mountAnalyticsFile(app)
      mountReceiptFiles(app)
      mountExports(app)
      mountInvoices(app)
      mountCsvFiles(app, csvFiles)
      mountApiDocs(app, {
        makeDocument: openApiDocument,
        withPage: parts.config.apiDocs,
        demo: parts.config.mode === 'demo',
      })
    },
    pages(app) {
      mountImages(app)
      mountAvatars(app)
      if (parts.config.mode === 'demo') {
        mountMailbox(app)
        mountStaffPage(app)
        mountShop(app, parts.kit.db)
      }
      app.get('/status', limitedPage(parts.kit.db, 'status'))
      app.get('/receipts/:key', limitedPage(parts.kit.db, 'receipts'))
      app.get('/fairness/draws*', limitedPage(parts.kit.db, 'draws'))
      mountPublicList(app)
      mountCheckScripts(app)
      // Not the picture of the cards: other sites show it to their own visitors.
      app.get('/cards/:key{[\\w-]{22}}', limitedPage(parts.kit.db, 'cards'))
      site = pages && mountSite(app, pages, who)
      site?.renderAhead(parts.config).catch((err: unknown) => {
        parts.log.error({ err }, 'a public page could not be rendered')
      })
      const files = parts.config.mode === 'demo' ? withDemoMark(build) : build
      mountStatic(app, files, screenRoots, site?.missing)
    },
  })
}

function mountSite(app: HttpApp, renderer: PageRenderer, { authenticate }: Authentication) {
  mountRobots(app, renderer.pages)
  // Answers to forms come before the pages that every visitor gets.
  const answer: Pages['answer'] = (...given) => pages.answer(...given)
  mountContact(app, { answer })
  mountUnsubscribe(app, { answer })
  const missing: Pages['missing'] = (c) => pages.missing(c)
  mountReceipts(app, { answer, missing })
  mountCards(app, { answer, missing })
  const pages: Pages = mountPages(app, {
    renderer,
    authenticate,
    live: {
      status: readStatusShared,
      figures: (ctx) => inTime(() => getPublicStatistics(ctx), 4),
      marketplaces: (ctx) => inTime(() => listMarketplacesPublicly(ctx), 4),
      drawDays: (ctx) => inTime(() => listLatestDays(ctx), 4),
    },
  })
  return pages
}

/** The OpenAPI 3.1 document of the contract. */
function openApiDocument() {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  return generator.generate(allCalls, {
    info: {
      title: 'Evenhand',
      version: '1',
      description:
        'Writes take an Idempotency-Key (a UUID): repeating a request with the same key answers the ' +
        'same and does nothing twice.',
    },
    servers: [{ url: '/api' }],
  })
}
