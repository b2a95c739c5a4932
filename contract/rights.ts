// Who may make which call: every call, for each kind of caller. The gates, the navigation of the staff area
// and the tests follow this file. A call that is missing here does not compile.
import type { contract } from './index.ts'
import type { staffContract } from './staff/index.ts'

/**
 * Who calls. `unverified` has not confirmed the email, so has no login session either. `other` is a member
 * who sends the id of something of `owner`; every caller before them sends an id of their own. `support` and
 * `admin` have a second factor, and send the ids of `owner`.
 */
export const callers = [
  'visitor',
  'unverified',
  'unnamed',
  'unpaid',
  'paused',
  'suspended',
  'other',
  'owner',
  'support',
  'admin',
] as const
export type Caller = (typeof callers)[number]

/** The code of the refusal that a caller gets because of who they are; `yes` if they get none. */
export type Answer =
  | 'yes'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'USERNAME_MISSING'
  | 'MEMBERSHIP_INACTIVE'
  | 'MEMBERSHIP_PAUSED'
  | 'SUSPENDED'

export type GateName = 'anyone' | 'member' | 'staff' | 'admin'

/** One row of the table. `fresh`: only shortly after signing in or confirming who one is. */
export type Right<G extends GateName = GateName> = {
  readonly gate: G
  readonly fresh: boolean
  readonly answers: Readonly<Record<Caller, Answer>>
}

const y = 'yes'
const out = 'UNAUTHORIZED'
const no = 'FORBIDDEN'
const none = 'NOT_FOUND'

// In the order of `callers`.
const anyone = right('anyone', [y, y, y, y, y, y, y, y, y, y])
/** About the caller alone. */
const member = right('member', [out, out, y, y, y, y, y, y, y, y])
/** About something that belongs to a member, found by its id. */
const owner = right('member', [out, out, y, y, y, y, none, y, none, none])
/** What only a member who takes part in the rotation may do with their own. */
const takingPart = right('member', [
  out,
  out,
  'USERNAME_MISSING',
  'MEMBERSHIP_INACTIVE',
  'MEMBERSHIP_PAUSED',
  'SUSPENDED',
  none,
  y,
  none,
  none,
])
/** About the caller, unless they are suspended. */
const unsuspended = right('member', [out, out, y, y, y, 'SUSPENDED', y, y, y, y])
/** What only a member with a running membership may do, for example to name other members. */
const joined = right('member', [
  out,
  out,
  'USERNAME_MISSING',
  'MEMBERSHIP_INACTIVE',
  y,
  'SUSPENDED',
  y,
  y,
  y,
  y,
])
const staff = right('staff', [out, out, no, no, no, no, no, no, y, y])
const admin = right('admin', [out, out, no, no, no, no, no, no, no, y])
const freshMember = fresh(member)
const freshAdmin = fresh(admin)

/** The rights of every call, by its group. */
export const rights = {
  members: {
    getMe: member,
    getProfile: member,
    updateProfile: member,
    updatePreferences: member,
    setUsername: member,
    changeUsername: member,
    uploadAvatar: member,
    removeAvatar: member,
    getMember: member,
  },
  accounts: {
    signUp: anyone,
    isUsernameTaken: anyone,
    resendVerification: anyone,
    readVerification: anyone,
    verifyEmail: anyone,
    reportNotMe: anyone,
    requestReset: anyone,
    readReset: anyone,
    resetPassword: anyone,
    changePassword: member,
    requestEmailChange: freshMember,
    cancelEmailChange: member,
    readEmailChange: anyone,
    confirmEmailChange: anyone,
    refuseEmailChange: anyone,
    askForAddress: member,
    confirmAddress: anyone,
    listDevices: member,
    endDevice: owner,
    endOtherDevices: member,
    endAllDevices: member,
  },
  signIn: {
    getSignInOptions: anyone,
    getSecurity: member,
    confirmIdentity: member,
    unlinkProvider: freshMember,
    setFirstPassword: member,
    startTwoFactor: freshMember,
    finishTwoFactor: freshMember,
    renewRecoveryCodes: freshMember,
    stopTwoFactor: freshMember,
    renamePasskey: owner,
    removePasskey: fresh(owner),
  },
  notifications: {
    listNoticePreferences: member,
    setNoticePreference: member,
    listNotices: member,
    markNoticeRead: owner,
    markNoticesRead: owner,
    markAllNoticesRead: member,
    getPush: member,
    addPushDevice: unsuspended,
    removePushDevice: owner,
    testPush: owner,
    listMyMails: member,
    listActivity: member,
  },
  membership: {
    getBilling: member,
    listInvoices: member,
    openCheckout: member,
    openPortal: member,
    refreshBilling: member,
    cancelMembership: member,
    keepMembership: member,
    pauseMembership: member,
    resumeMembership: member,
    refundMembership: member,
  },
  products: {
    listProducts: member,
    listArchivedProducts: member,
    getProduct: owner,
    addProduct: member,
    editProduct: owner,
    archiveProduct: owner,
    restoreProduct: owner,
    archiveProducts: owner,
    restoreProducts: owner,
    moveProduct: owner,
    listProductExchanges: owner,
    setImageFocus: owner,
    deleteProduct: owner,
    uploadProductImage: owner,
    listMarketplaces: member,
    consentToMarketplace: member,
  },
  discover: { listLiveProducts: member, listTrendingProducts: member, getLiveProduct: member },
  organization: {
    getOrganization: member,
    saveShop: joined,
    removeShop: owner,
    addDeclaration: joined,
    removeDeclaration: owner,
    keepDeclaration: owner,
    answerHousehold: owner,
  },
  matching: {
    takeTicket: owner,
    findDrawPlace: member,
    listOwnDraws: member,
    requestReview: takingPart,
    addAskAlert: owner,
    cancelRequest: owner,
    getRequest: owner,
    explainWait: owner,
    findCurrentOffer: member,
    explainOffer: owner,
    respondToOffer: owner,
    setOfferAside: owner,
    getBalance: member,
    findCooldown: member,
    endRest: member,
    listUnusableFormats: member,
    allowFormat: owner,
    listUnwantedOffers: member,
    markUnwanted: member,
    takeBackUnwanted: owner,
    bePresent: member,
    getAskingHours: member,
    setAskingHours: member,
  },
  reviews: {
    getDashboard: member,
    getNextSteps: member,
    getMissedReviews: member,
    listReviewsToWrite: member,
    listReviewsReceived: member,
    listLedgerSeals: anyone,
    listLedger: member,
    listReviewCards: member,
    showReviewCards: owner,
    getReview: owner,
    getReceivedReview: owner,
    openCoupon: owner,
    proveByOrder: owner,
    proveByFile: owner,
    saveDraft: owner,
    checkReviewText: owner,
    submitReview: owner,
    confirmReview: owner,
    amendReview: owner,
  },
  moderation: {
    reportReview: owner,
    reportListing: owner,
    withdrawReport: owner,
    listReports: member,
    listDecisions: member,
    getDecision: owner,
    findMyCase: owner,
    standByReview: owner,
    appealDecision: owner,
  },
  analytics: { getAnalytics: member },
  support: {
    submitSupportRequest: member,
    listMyMessages: member,
    getMyMessage: owner,
    replyToAnswer: owner,
    sendContactMessage: anyone,
  },
  privacy: {
    requestExport: freshMember,
    findExport: member,
    getErasureFacts: member,
    eraseAccount: freshMember,
  },
  search: { find: member },
  site: {
    getStatus: anyone,
    getPublicStatistics: anyone,
    listMarketplacesPublicly: anyone,
    listSigningKeys: anyone,
  },
  users: { listUsers: staff, changeRole: freshAdmin },
  logs: { listLogs: staff, listLogActions: staff },
  memberPages: {
    getMemberPage: staff,
    listMemberLedger: staff,
    listMemberExchanges: staff,
    listMemberMails: staff,
    listMemberActivity: staff,
    listMemberActions: staff,
    addNote: staff,
    resendVerification: staff,
    suspendMember: staff,
    liftSuspension: staff,
    clearKept: freshAdmin,
    endSessions: freshAdmin,
    grantMembership: freshAdmin,
    correctEntry: freshAdmin,
  },
  exchanges: {
    listExchanges: staff,
    getExchange: staff,
    explainExchange: staff,
    cancelRequestAsStaff: staff,
    withdrawOfferAsStaff: staff,
    extendDeadline: staff,
    acceptProof: staff,
    refuseProof: staff,
    verifyExchange: staff,
    endWithoutFault: staff,
  },
  cases: {
    listCases: staff,
    getCase: staff,
    takeCase: staff,
    releaseCase: staff,
    decideCase: staff,
    decideAppeal: staff,
  },
  flags: { listFlags: staff, getFlag: staff, dismissFlag: staff, openFlagCase: staff },
  supportDesk: {
    listMessages: staff,
    getThread: staff,
    answerMessage: staff,
    addNote: staff,
    assignMessage: staff,
    resolveMessage: staff,
    reopenMessage: staff,
    listSavedReplies: staff,
    addSavedReply: staff,
    editSavedReply: staff,
    deleteSavedReply: staff,
  },
  marketplaces: {
    listRegister: staff,
    getRegisterEntry: staff,
    readTestLink: staff,
    addMarketplace: freshAdmin,
    editMarketplace: freshAdmin,
    checkMarketplace: freshAdmin,
    closeMarketplace: freshAdmin,
    reopenMarketplace: freshAdmin,
  },
  money: { getMoney: admin },
  health: {
    getProcesses: staff,
    getQueues: staff,
    retryJob: admin,
    discardJob: admin,
    getOutbox: staff,
    resendMail: admin,
    discardMail: admin,
    clearBouncedAddress: admin,
    getDatabase: staff,
    getInvariants: staff,
    runInvariants: admin,
    getStorage: staff,
    getBackups: staff,
    measureStorage: admin,
    getRotation: staff,
    adviseClub: staff,
    // It takes seconds of the database.
    simulateRotation: admin,
  },
} as const satisfies RightsOf<typeof contract & typeof staffContract>

/**
 * The rights of the answers that are files instead of JSON, by their address under /api. `mountFile`
 * (server/kit/http/files.ts) puts the gate before each.
 */
export const fileRights = {
  '/proofs/:id': right('member', [out, out, y, y, y, y, none, y, y, y]),
  '/account/export/:id/download': owner,
  '/billing/invoices/:id/pdf': owner,
  '/draws/:id/receipt.json': owner,
  '/draws/passes/:id': member,
  '/ledger.csv': member,
  '/ledger/statement.json': member,
  '/analytics.csv': member,
  '/admin/users.csv': freshAdmin,
  '/admin/support.csv': freshAdmin,
  '/admin/logs.csv': freshAdmin,
  '/admin/money.csv': freshAdmin,
  '/admin/ledger.csv': freshAdmin,
} as const satisfies Record<string, Right>
export type FilePath = keyof typeof fileRights

/** The CSV files of the staff area, by the names in their addresses. */
export type CsvName = CsvNameOf<FilePath>
type CsvNameOf<P> = P extends `/admin/${infer Name}.csv` ? Name : never

type RightsOf<C> = { [G in keyof C]: { [N in keyof C[G]]: Right } }

/** Whether staff of this role may make a call of the staff area: what they may not do is not shown. */
export function mayCall({ answers }: Right, role: 'user' | 'support' | 'admin'): boolean {
  return answers[role === 'user' ? 'other' : role] === y
}

function right<const G extends GateName>(gate: G, answers: Answer[]): Right<G> {
  const found = callers.map((caller, place) => [caller, answers[place]])
  // `fromEntries` loses the names; the lists have the same length.
  return { gate, fresh: false, answers: Object.fromEntries(found) as Right['answers'] }
}

function fresh<G extends GateName>(right: Right<G>): Right<G> {
  return { ...right, fresh: true }
}
