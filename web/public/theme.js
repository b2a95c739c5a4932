// Runs before the first paint, so that the page does not flash in the wrong theme. The choice is a cookie
// because signing out clears the site's storage. The sign-in pages have their own outline while they load.
;(function () {
  var root = document.documentElement
  var chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (chosen) root.dataset.theme = chosen[1]
  if (/^\/(signin|signup|reset-password|verify-email|auth)(\/|$)/.test(location.pathname))
    root.dataset.place = 'sign-in'
})()
