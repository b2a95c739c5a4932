/** The first path segment of every screen. The server answers these paths with the shell of the screens. */
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
