// Runs before the first paint, so that a chosen theme never flashes. The choice is a cookie because signing out clears
// the site's storage. Without a choice nothing is set and the page follows the system.
;(function () {
  var chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (chosen) document.documentElement.dataset.theme = chosen[1]
})()
