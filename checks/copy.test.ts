import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { displayNameOf } from '#contract/members.ts'
import { providerErrors } from '#contract/sign-in.ts'

/*
 * The exact texts of each screen. Each is one whole string somewhere in the modules of the screen, so files
 * may move or be divided. A sentence that is composed at run time is tested by its function below.
 */
type Screen = { modules: string[]; texts: string[] }

const accountPages: Record<string, Screen> = {
  '/signin': {
    modules: ['web/sign-in', 'web/accounts'],
    texts: [
      'Forgot password?',
      'Create account',
      'Please enter your email address',
      'Error',
      'Failed to sign in',
      'Welcome back!',
      "You've been signed in successfully.",
      'Connecting…',
    ],
  },
  '/signup': {
    modules: ['web/accounts'],
    texts: [
      "Passwords don't match",
      'Please choose a valid username',
      'Error',
      'Failed to create account',
      'Start with a letter, 3–20 chars, only letters/numbers/-/_',
      'That username is already taken',
      'Could not check availability',
      'Looks great!',
    ],
  },
  '/verify-email': {
    modules: ['web/accounts'],
    texts: [
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
    modules: ['web/accounts'],
    texts: [
      'Send password reset link',
      'Sending...',
      'Check your email',
      'If an account exists for the address, a password reset link has been sent.',
      'Send another email',
      'Back to sign in',
      'Error',
      'Failed to send reset email',
    ],
  },
  '/reset-password/confirm': {
    modules: ['web/accounts', 'contract/accounts'],
    texts: [
      'Use 8+ characters. Add a mix of letters, numbers, and symbols for a stronger password.',
      'Reset Password',
      'Resetting…',
      'Back to sign in',
      'Request a new link',
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
    modules: ['web/accounts', 'contract/accounts'],
    texts: [
      'Completing authentication...',
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
    modules: ['web/accounts', 'contract/members'],
    texts: [
      'Choose your username',
      'This will appear on your profile and activity.',
      '3–20 characters, letters, numbers, - and _',
      'Checking...',
      'Looks great!',
      'Save',
      'Saving...',
      "We'll check again on save",
      'Start with a letter, 3–20 chars, only letters/numbers/-/_',
      'That username is already taken',
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
  'signing out': { modules: ['web/sign-in'], texts: ['Failed to logout', 'Logged out successfully'] },
}

const frame: Record<string, Screen> = {
  'the frame': {
    modules: ['web/shell', 'web/kit'],
    texts: [
      'Main',
      'Dashboard',
      'Activity',
      'Notifications',
      'Cooldown Status',
      'Reviews',
      'Articles',
      'Account',
      'Settings',
      'Support',
      'Not signed in',
      'Search digital assets, reviews, creators...',
      '99+',
    ],
  },
  '/messages': {
    modules: ['web/shell'],
    texts: ['Messaging has been replaced with Activity & Notifications'],
  },
  'an unknown address': { modules: ['web/shell'], texts: ['Oops! Page not found'] },
}

/** The public pages. */
const publicPages: Record<string, Screen> = {
  'the header of the public pages': {
    modules: ['web/marketing'],
    texts: ['Features', 'Pricing', 'FAQ', 'Log in'],
  },
  'the footer of the public pages': {
    modules: ['web/marketing'],
    texts: ['Pricing', 'FAQ', 'Privacy', 'Terms', 'Security', 'Contact', 'Status', 'Help'],
  },
  'an unknown public address': { modules: ['web/marketing'], texts: ['Oops! Page not found'] },
}

/** Pages of members. */
const inside: Record<string, Screen> = {
  '/articles': { modules: ['web/articles'], texts: ['More articles coming soon', 'Back to Articles'] },
  '/support': {
    modules: ['web/support', 'contract/support'],
    texts: [
      'Please fill in all fields',
      'Failed to submit support request',
      'Support request submitted successfully',
    ],
  },
  '/notifications and /activity': {
    modules: ['web/notifications'],
    texts: ['All caught up!', 'All notifications marked as read', 'No activity to display'],
  },
  '/cooldown': {
    modules: ['web/matching'],
    texts: ['No Reviewer Status Found', 'Failed to load cooldown status'],
  },
}

describe.each(Object.entries({ ...accountPages, ...frame, ...publicPages, ...inside }))(
  '%s has its exact texts',
  (_, { modules, texts }) => {
    const shown = new Set(modules.flatMap(textsOf))

    test.each(texts)('%s', (exact) => {
      expect(shown).toContain(exact)
    })
  },
)

describe('composed texts are exact', () => {
  test('a failed sign-in names the provider', () => {
    expect(providerErrors.failed('Google')).toBe('Google sign-in failed. Please try again.')
  })

  test('a member without a name is called Account', () => {
    expect(displayNameOf({})).toBe('Account')
  })
})

test('a text of the sources is read whole, and a missing one is noticed', () => {
  const shown = textsOf('web/accounts')
  expect(shown).toContain('Sent to')
  expect(shown).not.toContain('Sent t')
  expect(shown).not.toContain('sent to')
})

type Node = { type?: unknown; value?: unknown }

/**
 * Every text of a module that could be shown: its strings, its templates' pieces and the words between its
 * tags.
 */
function textsOf(module: string): string[] {
  const paths = globSync(`${module}{/**/*,}.{ts,tsx}`).filter((path) => !/\.test\.tsx?$/.test(path))
  expect(paths, module).not.toEqual([])
  const texts: string[] = []
  for (const path of paths)
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
