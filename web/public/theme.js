// Runs before the first paint. A chosen theme must not flash; the choice is a cookie because signing out clears the
// site's storage, and without a choice the page follows the system. The pages of signing in have their own outline
// while they load.
;(function () {
  var root = document.documentElement
  var chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (chosen) root.dataset.theme = chosen[1]
  if (/^\/(signin|signup|reset-password|verify-email|auth)(\/|$)/.test(location.pathname))
    root.dataset.place = 'door'
})()
