/** The first part of every address that a screen answers. The server sends the screens' shell for these; the rest are public pages. */
export const screenRoots = [
  'signin',
  'signup',
  'verify-email',
  'reset-password',
  'auth',
  'dashboard',
  'assets',
  'reviews',
  'activity',
  'notifications',
  'cooldown',
  'articles',
  'messages',
  'settings',
  'members',
  'support',
] as const
