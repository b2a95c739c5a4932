// Shows push messages and follows their clicks. It has no fetch handler and no cache: it does nothing else.
;(function () {
  var shown = { icon: '/icon-192.png', badge: '/badge-96.png', lang: 'en', dir: 'ltr' }
  var settings = '/settings/notifications'

  function readMessage(event) {
    try {
      return event.data ? event.data.json() : {}
    } catch {
      return {}
    }
  }

  // Only addresses of this site are ever opened.
  function here(href) {
    try {
      var url = new URL(href || '/notifications', self.location.origin)
      return url.origin === self.location.origin ? url.href : self.location.origin + '/notifications'
    } catch {
      return self.location.origin + '/notifications'
    }
  }

  self.addEventListener('install', function () {
    self.skipWaiting()
  })

  // A browser ends the subscription of a site that gets a message and shows nothing.
  self.addEventListener('push', function (event) {
    var message = readMessage(event)
    var isOver = message.until && Date.parse(message.until) <= Date.now()
    event.waitUntil(
      self.registration.showNotification(message.title || 'News from Evenhand', {
        icon: shown.icon,
        badge: shown.badge,
        lang: shown.lang,
        dir: shown.dir,
        body: isOver ? 'This came too late to answer.' : message.body || 'Open Evenhand to read it.',
        tag: message.tag || 'evenhand',
        data: { href: message.href },
        actions: [
          { action: 'open', title: 'Open' },
          { action: 'settings', title: 'Turn off' },
        ],
      }),
    )
  })

  self.addEventListener('notificationclick', function (event) {
    var href = here(
      event.action === 'settings' ? settings : event.notification.data && event.notification.data.href,
    )
    event.notification.close()
    event.waitUntil(
      self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(function (pages) {
        // A page is never sent elsewhere, because someone may be writing in it.
        var open = pages.find(function (page) {
          return page.url === href
        })
        return open ? open.focus() : self.clients.openWindow(href)
      }),
    )
  })
})()
