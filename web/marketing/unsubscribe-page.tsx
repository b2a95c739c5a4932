import type { ReactNode } from 'react'
import { noticeKinds } from '#contract/notifications.ts'
import type { PageGiven } from '#contract/pages.ts'
import { buttonLook } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageHead } from './frame/page-head.tsx'

/** Stops mails of one kind. Each of them links here. It works signed out and without a script. */
export function UnsubscribePage({ unsubscribe }: PageGiven) {
  return <div className="grid min-h-[60dvh] content-center">{contentOf(unsubscribe)}</div>
}

function contentOf(unsubscribe: PageGiven['unsubscribe']) {
  if (!unsubscribe) {
    return (
      <Said
        title="This link doesn’t work"
        lead="Part of it may be missing. You can choose which emails we send you in your settings."
      >
        <SettingsLink variant="primary">Open settings</SettingsLink>
      </Said>
    )
  }
  const { title, help } = noticeKinds[unsubscribe.kind]
  if (unsubscribe.done) {
    return (
      <Said
        title="You’ve unsubscribed"
        lead={`We won’t email you about “${title}” anymore. You can turn this back on in your settings.`}
      >
        <SettingsLink variant="primary">Open settings</SettingsLink>
      </Said>
    )
  }
  return (
    <Said
      title="Stop these emails?"
      lead={`You get emails about “${title}”: ${lowerFirst(help)} Notifications in the app stay as they are.`}
    >
      {/* Posts to this page's own address: its token holds the member and the kind. */}
      <form method="post">
        <button type="submit" className={buttonLook('primary', 'lg')}>
          Stop these emails
        </button>
      </form>
      <SettingsLink>Choose in settings</SettingsLink>
    </Said>
  )
}

function Said({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <PageHead title={title} lead={lead}>
      <div className="mt-8 flex flex-wrap gap-3">{children}</div>
    </PageHead>
  )
}

function SettingsLink({ variant, children }: { variant?: 'primary'; children: string }) {
  return (
    <LinkButton href={paths.settings('notifications')} variant={variant} size="lg">
      {children}
    </LinkButton>
  )
}

function lowerFirst(text: string) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
