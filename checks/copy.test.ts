import { readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { displayNameOf } from '#contract/members.ts'
import { providerErrors } from '#contract/sign-in.ts'

/*
 * What the screens say is settled to the letter. Each sentence here stands whole, as a text of its own, in one of the
 * files that its screen is made of; a sentence that is put together at run time is asked for by its function below.
 */
type Screen = { files: string[]; words: Words[] }
/** Said in one place, or in so many, of which each is held. */
type Words = string | readonly [string, number]

const accounts = (names: string) => names.split(' ').map((name) => `web/accounts/${name}`)
const signIn = (names: string) => names.split(' ').map((name) => `web/sign-in/${name}`)

const doors: Record<string, Screen> = {
  '/signin': {
    files: [
      ...signIn('sign-in-screen.tsx sign-in-form.tsx provider-visit-button.tsx'),
      ...accounts('on-signed-in.ts'),
    ],
    words: [
      'Forgot password?',
      'Create account',
      'Please enter your email address',
      'Error',
      ['Failed to sign in', 2],
      'Welcome back!',
      "You've been signed in successfully.",
      'Connecting…',
    ],
  },
  '/signup': {
    files: [
      ...signIn('sign-up-screen.tsx'),
      ...accounts('sign-up-form.tsx new-password.ts username-field.tsx'),
    ],
    words: [
      "Passwords don't match",
      'Please choose a valid username',
      'Error',
      ['Failed to create account', 2],
      'Start with a letter, 3–20 chars, only letters/numbers/-/_',
      'That username is already taken',
      'Could not check availability',
      'Looks great!',
    ],
  },
  '/verify-email': {
    files: accounts('verify-email-screen.tsx'),
    words: [
      'Confirm your email',
      "We've sent a confirmation link to your email. Please click it to activate your account.",
      'Email not verified',
      "Your email isn't verified yet. We've sent you a confirmation link. Please check your inbox.",
      'Verification email re-sent',
      'Verification email re-sent. Please check your inbox and spam folder.',
      'Sent to',
      'Resend verification email',
      'Sending...',
      'Back to sign in',
      'Error',
      'Failed to resend verification email',
      'Email address not found. Please try signing up again.',
    ],
  },
  '/reset-password': {
    files: accounts('reset/reset-request-screen.tsx reset/reset-request-form.tsx'),
    words: [
      'Send password reset link',
      'Sending...',
      'Check your email',
      'If an account exists for the address, a password reset link has been sent.',
      'Send another email',
      'Back to sign in',
      'Error',
      ['Failed to send reset email', 2],
    ],
  },
  '/reset-password/confirm': {
    files: [
      ...accounts('reset/reset-confirm-screen.tsx reset/reset-confirm-form.tsx new-password.ts'),
      'contract/accounts.ts',
    ],
    words: [
      'Use 8+ characters. Add a mix of letters, numbers, and symbols for a stronger password.',
      'Reset Password',
      'Resetting…',
      ['Back to sign in', 2],
      ['Request a new link', 2],
      'Reset link expired',
      'Your reset link is invalid or has expired. Request a new link.',
      'Passwords do not match.',
      'Use at least 8 characters.',
      'Failed to update password. Please try again.',
      'Password updated',
      'Your password has been successfully updated.',
    ],
  },
  '/auth/callback': {
    files: [
      ...accounts('completing.tsx on-signed-in.ts links/recovery-link.tsx link-refusal.ts'),
      'contract/accounts.ts',
    ],
    words: [
      ['Completing authentication...', 2],
      'Link expired or invalid',
      'Your verification link has expired or been used already.',
      'Authenticated',
      "You're authenticated. Set a new password.",
      'Email verified',
      "You're in! Welcome to your dashboard.",
      'Authentication Error',
      'Something went wrong during authentication.',
    ],
  },
  'the window for the username': {
    files: [...accounts('username-dialog.tsx username-field.tsx username-refusal.ts'), 'contract/members.ts'],
    words: [
      'Choose your username',
      'This will appear on your profile and activity.',
      '3–20 characters, letters, numbers, - and _',
      'Checking...',
      'Looks great!',
      'Save',
      'Saving...',
      "We'll check again on save",
      'Start with a letter, 3–20 chars, only letters/numbers/-/_',
      ['That username is already taken', 2],
      'Authentication required',
      'Please sign in to continue.',
      'Invalid username',
      'Please follow the format: 3–20 chars, start with a letter.',
      'Invalid username format',
      'Username taken',
      'That username is already taken. Please choose another.',
      'Error',
      'Could not save username. Please try again.',
      'Failed to save username',
    ],
  },
  'signing out': {
    files: signIn('sign-out.ts'),
    words: ['Failed to logout', 'Logged out successfully'],
  },
}

const frame: Record<string, Screen> = {
  'the frame': {
    files: ['web/shell/frame.tsx', 'web/shell/member-layout.tsx', 'web/kit/frame.tsx'],
    words: [
      ['Main', 2],
      'Dashboard',
      'Activity',
      ['Notifications', 2],
      'Cooldown Status',
      'Reviews',
      'Articles',
      ['Account', 2],
      'Settings',
      'Support',
      'Not signed in',
      'Search digital assets, reviews, creators...',
      '99+',
    ],
  },
  '/messages': {
    files: ['web/shell/messages-screen.tsx'],
    words: ['Messaging has been replaced with Activity & Notifications'],
  },
  'an unknown address': { files: ['web/shell/not-found-screen.tsx'], words: ['Oops! Page not found'] },
}

/** The pages for everybody. */
const publicPages: Record<string, Screen> = {
  'the header of the public pages': {
    files: ['web/marketing/frame/site-header.tsx'],
    words: ['Features', 'Pricing', 'FAQ', ['Log in', 2]],
  },
  'the footer of the public pages': {
    files: ['web/marketing/frame/site-footer.tsx'],
    words: ['Pricing', 'FAQ', 'Privacy', 'Terms', 'Security', 'Contact', 'Status', 'Help'],
  },
  'an address of nothing': { files: ['web/marketing/not-found-page.tsx'], words: ['Oops! Page not found'] },
}

/** What members see of what belongs to the account and to the public texts. */
const inside: Record<string, Screen> = {
  '/articles': {
    files: ['web/articles/article-card.tsx', 'web/articles/article-screen.tsx'],
    words: ['More articles coming soon', 'Back to Articles'],
  },
  '/support': {
    files: ['web/support/support-form.tsx', 'contract/support.ts'],
    words: [
      'Please fill in all fields',
      ['Failed to submit support request', 2],
      'Support request submitted successfully',
    ],
  },
  '/notifications and /activity': {
    files: ['web/notifications/notifications-screen.tsx', 'web/notifications/activity-screen.tsx'],
    words: ['All caught up!', 'All notifications marked as read', 'No activity to display'],
  },
  '/cooldown': {
    files: ['web/matching/cooldown-screen.tsx'],
    words: ['No Reviewer Status Found', 'Failed to load cooldown status'],
  },
}

describe.each(Object.entries({ ...doors, ...frame, ...publicPages, ...inside }))(
  '%s says to the letter',
  (_, screen) => {
    const said = screen.files.flatMap(textsOf)
    const expected = screen.words.map((words) => (typeof words === 'string' ? ([words, 1] as const) : words))

    test.each(expected)('%s', (words, times) => {
      expect(said.filter((text) => text === words)).toHaveLength(times)
    })
  },
)

describe('what is put together says to the letter', () => {
  test('that the provider did not sign anybody in, by its name', () => {
    expect(providerErrors.failed('Google')).toBe('Google sign-in failed. Please try again.')
  })

  test('Account for somebody of whom nothing is known', () => {
    expect(displayNameOf({})).toBe('Account')
  })
})

test('a text of the sources is read whole, and one that is not there is missed', () => {
  const said = textsOf('web/accounts/verify-email-screen.tsx')
  expect(said).toContain('Sent to')
  expect(said).not.toContain('Sent t')
  expect(said).not.toContain('sent to')
})

type Node = { type?: unknown; value?: unknown }

/** Every text of a source that could be shown: its strings, its templates' pieces and the words between its tags. */
function textsOf(path: string): string[] {
  const texts: string[] = []
  visit(parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return texts

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    const { type, value }: Node = node
    if (type === 'Literal' && typeof value === 'string') texts.push(value)
    if (type === 'JSXText' && typeof value === 'string') texts.push(asShown(value))
    if (type === 'TemplateElement' && typeof value === 'object' && value !== null && 'cooked' in value) {
      texts.push(String(value.cooked))
    }
    for (const child of Object.values(node)) visit(child)
  }
}

/** Words between tags as they are shown: line breaks with the space around them are one space. */
function asShown(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim()
}
