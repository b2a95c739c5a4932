import { useRouter } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useEffect } from 'react'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { paths } from '#web/paths.ts'

const redirectAfterMs = 3_000

/** The old messaging pages. They name what replaced them and redirect there. */
export function MessagesScreen() {
  const router = useRouter()
  // The timer is outside React. Leaving the page cancels the redirect.
  useEffect(() => {
    const timer = setTimeout(
      () => void router.navigate({ href: paths.activity(), replace: true }),
      redirectAfterMs,
    )
    return () => clearTimeout(timer)
  }, [router])
  return (
    <Page>
      <PageHeader title="Messages" />
      <Card padding="none">
        <EmptyState
          icon={<MessagesSquare />}
          title="Messaging has been replaced with Activity & Notifications"
          action={
            <>
              <LinkButton href={paths.activity()} variant="primary">
                Go to Activity
              </LinkButton>
              <LinkButton href={paths.notifications()}>Go to Notifications</LinkButton>
            </>
          }
        >
          You'll be taken to Activity in 3 seconds.
        </EmptyState>
      </Card>
    </Page>
  )
}
