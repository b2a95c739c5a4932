import { expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { readSources } from './sources.ts'

// Who may knock at each call: the one table to read when rights are reviewed. Members act on what is theirs; anything else is not found.
const gates = {
  anyone: `accounts.signUp accounts.resendVerification accounts.readVerification accounts.verifyEmail accounts.reportNotMe
    accounts.requestReset accounts.readReset accounts.resetPassword accounts.usernameExists
    signIn.getSignInOptions accounts.readEmailChange accounts.confirmEmailChange accounts.refuseEmailChange
    support.sendContactMessage site.getStatus site.getPublicStatistics site.listMarketplacesPublicly`,
  member: `members.getMe members.setUsername members.updateProfile accounts.changePassword
    products.listProducts products.getProduct products.addProduct products.editProduct products.archiveProduct products.restoreProduct
    products.deleteProduct products.uploadProductImage products.listMarketplaces products.consentToMarketplace
    matching.requestReview matching.cancelRequest matching.getRequest matching.findCurrentOffer matching.respondToOffer
    matching.getBalance matching.getCooldown matching.bePresent
    reviews.getDashboard reviews.listReviewsToWrite reviews.listReviewsReceived reviews.getReview reviews.getReceivedReview
    reviews.openCoupon reviews.proveByOrder reviews.proveByFile reviews.saveDraft reviews.checkReviewText reviews.submitReview
    reviews.confirmReview reviews.returnReview
    notifications.listNotices notifications.markNoticeRead notifications.markAllNoticesRead notifications.listActivity
    signIn.getSecurity signIn.confirmIdentity signIn.unlinkProvider signIn.setFirstPassword signIn.startTwoFactor
    signIn.finishTwoFactor signIn.renewRecoveryCodes signIn.stopTwoFactor signIn.renamePasskey signIn.removePasskey
    accounts.listDevices accounts.endDevice accounts.endOtherDevices accounts.endAllDevices members.getProfile
    members.changeUsername members.uploadAvatar members.removeAvatar members.updatePreferences accounts.requestEmailChange
    accounts.cancelEmailChange members.findMembers members.getMember
    notifications.listNoticePreferences notifications.setNoticePreference
    privacy.requestExport privacy.findExport privacy.getErasureFacts privacy.eraseAccount
    support.submitSupportRequest`,
}

test('every call of the contract has the gate that this table names', () => {
  const named = Object.entries(gates).flatMap(([gate, calls]) =>
    calls.split(/\s+/).map((call) => [call, gate]),
  )
  const found = readSources(['server'])
    .filter(({ path }) => path.endsWith('procedures.ts'))
    .flatMap(({ text }) => {
      const room = /calls = api\.(\w+)/.exec(text)?.[1] ?? ''
      return [...text.matchAll(/calls\.(\w+)\s*((?:\s*\.use\([^;]*?\))*)\s*\.handler/g)].map((match) => {
        const gate = [...(match[2] ?? '').matchAll(/\.use\((anyone|member|staff|admin)\)/g)].at(-1)?.[1]
        return [`${room}.${match[1]}`, gate]
      })
    })
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named))
})

test('the table names every call there is', () => {
  const calls = Object.entries(contract).flatMap(([room, of]) =>
    Object.keys(of).map((call) => `${room}.${call}`),
  )
  const named = Object.values(gates).flatMap((list) => list.split(/\s+/))
  expect(named.toSorted()).toEqual(calls.toSorted())
})
