import { Alert } from '#web/kit/ui/alert.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import type { Failure } from './report.ts'

/** What went wrong while the page loaded something, and the way on. */
export function Failed({ failure: { title, text, signIn } }: { failure: Failure }) {
  return (
    <Alert tone="danger" title={title} announce={false} className="mb-4">
      {text}{' '}
      {signIn ? <TextLink href={paths.signIn({ returnTo: paths.drawCheck() })}>Sign in</TextLink> : null}
    </Alert>
  )
}

export const broken: Failure = {
  title: 'That didn’t work',
  text: 'Please reload the page and try again.',
  again: true,
}
