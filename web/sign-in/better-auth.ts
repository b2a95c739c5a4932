/*
 * The endpoints of the sign-in library that screens call. They are outside the contract: this file, and the `…-calls`
 * beside it that ask by its `post`, alone know their addresses and the shape of their answers.
 */

/** A refused sign-in or sign-out: the code, the status, and words for people when it had any. */
export class SignInError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status: number, message: string) {
    super(message)
    this.name = 'SignInError'
    this.code = code
    this.status = status
  }
}

/**
 * Opens a login session in a cookie, or says that a code is needed first. An address that is not confirmed is sent a
 * link, which leads to `returnTo`. Refuses with `SignInError`; a lost connection is a `TypeError`. So do all the others
 * here.
 */
export async function signIn(credentials: {
  email: string
  password: string
  returnTo?: string | undefined
}): Promise<{ needsCode: boolean }> {
  const { twoFactor } = await post('/api/auth/sign-in/email', credentials)
  return { needsCode: twoFactor === true }
}

/** Ends a sign-in that needs a code: one of the authenticator app, or a recovery code, which is used up by it. */
export async function verifyCode(code: string, kind: 'app' | 'recovery'): Promise<void> {
  await post(`/api/auth/two-factor/${kind === 'app' ? 'verify-totp' : 'verify-backup-code'}`, { code })
}

/** The provider's page on which to sign in, or null when it gave none. `nonce` comes back to our own page in the end. */
export async function startProviderSignIn(wish: {
  provider: string
  nonce?: string
  returnTo?: string
}): Promise<string | null> {
  const { url } = await post('/api/auth/sign-in/social', wish)
  return typeof url === 'string' ? url : null
}

/** What the device is asked to sign with a passkey. It is answered once, within a few minutes. */
export async function askForPasskey(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options: unknown = await post('/api/auth/passkey/authenticate-options', {})
  // The server's own options, in the form that browsers take.
  return options as PublicKeyCredentialRequestOptionsJSON
}

/** Opens a login session for whoever the passkey belongs to, by what the device answered, in its form for JSON. */
export async function signInWithPasskey(response: unknown): Promise<void> {
  await post('/api/auth/passkey/verify-authentication', { response })
}

/** Ends the login session of this browser. */
export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
}

/** Asks one of these endpoints and answers the parts of its answer, of which nothing is known yet. Refuses with `SignInError`. */
export async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json().catch(() => null)
  // Whatever was answered, its parts are looked at one by one.
  const parts = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  if (!response.ok) throw refusalOf(response, parts)
  return parts
}

/** A reason that was given for this very case says more than the refusal's own words. */
function refusalOf(response: Response, { code, message, data }: Record<string, unknown>): SignInError {
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined
  return new SignInError(
    typeof code === 'string' ? code : '',
    response.status,
    [reason, message].find((words) => typeof words === 'string') ?? '',
  )
}
