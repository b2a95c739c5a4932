import { expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { readSources } from './sources.ts'

// Who may knock at each call: the one table to read when rights are reviewed. Members act on what is theirs; anything else is not found.
const gates = {
  anyone: `accounts.signUp accounts.resendVerification accounts.readVerification accounts.verifyEmail accounts.reportNotMe
    accounts.requestReset accounts.readReset accounts.resetPassword accounts.usernameExists
    settings.getSignInOptions settings.readEmailChange settings.confirmEmailChange settings.refuseEmailChange
    support.sendContactMessage site.getStatus site.getPublicStatistics site.listMarketplacesPublicly`,
  member: `accounts.getMe accounts.setUsername accounts.updateProfile accounts.changePassword
    products.listProducts products.getProduct products.addProduct products.editProduct products.archiveProduct products.restoreProduct
    products.deleteProduct products.uploadProductImage products.listMarketplaces products.consentToMarketplace
    matching.requestReview matching.cancelRequest matching.getRequest matching.findCurrentOffer matching.respondToOffer
    matching.getBalance matching.getCooldown matching.bePresent
    reviews.getDashboard reviews.listReviewsToWrite reviews.listReviewsReceived reviews.getReview reviews.getReceivedReview
    reviews.openCoupon reviews.proveByOrder reviews.proveByFile reviews.saveDraft reviews.checkReviewText reviews.submitReview
    reviews.confirmReview reviews.returnReview
    notifications.listNotices notifications.markNoticeRead notifications.markAllNoticesRead notifications.listActivity
    settings.getSecurity settings.confirmIdentity settings.unlinkProvider settings.setFirstPassword settings.startTwoFactor
    settings.finishTwoFactor settings.renewRecoveryCodes settings.stopTwoFactor settings.renamePasskey settings.removePasskey
    settings.listDevices settings.endDevice settings.endOtherDevices settings.endAllDevices settings.getProfile
    settings.changeUsername settings.uploadAvatar settings.removeAvatar settings.updatePreferences settings.requestEmailChange
    settings.cancelEmailChange settings.findMembers settings.getMember
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
