import { expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { router } from '#server/app.ts'

// Who may call what: the one table to read when rights are reviewed. Members act on what is theirs; the rest
// is not found. The compiler holds that every call has a gate; this table holds which one.
const gates = {
  anyone: `
    accounts.signUp accounts.usernameExists accounts.resendVerification accounts.readVerification
    accounts.verifyEmail accounts.reportNotMe accounts.requestReset accounts.readReset accounts.resetPassword
    accounts.readEmailChange accounts.confirmEmailChange accounts.refuseEmailChange
    accounts.confirmAddress
    signIn.getSignInOptions support.sendContactMessage
    site.getStatus site.getPublicStatistics site.listMarketplacesPublicly`,
  member: `
    members.getMe members.getProfile members.updateProfile members.updatePreferences members.setUsername
    members.changeUsername members.uploadAvatar members.removeAvatar members.findMembers members.getMember
    accounts.askForAddress accounts.changePassword accounts.requestEmailChange accounts.cancelEmailChange
    accounts.listDevices accounts.endDevice accounts.endOtherDevices accounts.endAllDevices
    signIn.getSecurity signIn.confirmIdentity signIn.unlinkProvider signIn.setFirstPassword
    signIn.startTwoFactor signIn.finishTwoFactor signIn.renewRecoveryCodes signIn.stopTwoFactor
    signIn.renamePasskey signIn.removePasskey
    notifications.listNoticePreferences notifications.setNoticePreference notifications.listNotices
    notifications.markNoticeRead notifications.markAllNoticesRead notifications.listActivity
    products.listProducts products.getProduct products.addProduct products.editProduct products.archiveProduct
    products.restoreProduct products.deleteProduct products.uploadProductImage
    products.listMarketplaces products.consentToMarketplace
    matching.requestReview matching.cancelRequest matching.getRequest matching.findCurrentOffer
    matching.respondToOffer matching.setOfferAside matching.getBalance matching.getCooldown
    matching.bePresent matching.listUnusableFormats matching.allowFormat
    reviews.getDashboard reviews.getNextSteps reviews.listReviewsToWrite reviews.listReviewsReceived
    reviews.getReview reviews.getReceivedReview reviews.openCoupon
    reviews.proveByOrder reviews.proveByFile reviews.saveDraft
    reviews.checkReviewText reviews.submitReview reviews.confirmReview reviews.returnReview
    support.submitSupportRequest
    privacy.requestExport privacy.findExport privacy.getErasureFacts privacy.eraseAccount`,
  staff: '',
  admin: '',
}

test('every call has the gate that this table names', () => {
  const named = Object.entries(gates).flatMap(([gate, calls]) =>
    calls
      .split(/\s+/)
      .filter(Boolean)
      .map((call) => [call, gate]),
  )
  const built = Object.values(router).flatMap((procedures) =>
    Object.values(procedures).map(({ call, gate }) => [call, gate.name]),
  )
  expect(Object.fromEntries(built)).toEqual(Object.fromEntries(named))
})

test('every call of the contract is answered by the procedure of its name', () => {
  const calls = Object.entries(contract).flatMap(([group, of]) =>
    Object.keys(of).map((name) => `${group}.${name}`),
  )
  const answered = Object.entries(router).flatMap(([group, procedures]) =>
    Object.entries(procedures)
      .filter(([name, { call }]) => call === `${group}.${name}`)
      .map(([, { call }]) => call),
  )
  expect(new Set(answered)).toEqual(new Set(calls))
})
