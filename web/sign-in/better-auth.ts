/*
 * The sign-in library's endpoints that screens call. They are outside the contract: only this file and the
 * `…-calls` files that use its `post` contain their addresses and the shape of their answers.
 */

/** A refused sign-in or sign-out: its code, its status and its message for the user, which may be empty. */
export class SignInError extends Error {
  readonly code: string
  readonly status: number
  /** The details of the refusal, unchecked. */
  readonly data: unknown

  constructor(code: string, status: number, message: string, data?: unknown) {
    super(message)
    this.name = 'SignInError'
    this.code = code
    this.status = status
    this.data = data
  }
}

/**
 * Opens a login session in a cookie, or returns that a code is needed first. An unconfirmed address is sent a
 * link to `returnTo`. Like all calls here, it refuses with `SignInError`; a lost connection is a `TypeError`.
 */
export async function signIn(credentials: {
  email: string
  password: string
  returnTo?: string | undefined
}): Promise<{ needsCode: boolean }> {
  const { twoFactor } = await post('/api/auth/sign-in/email', credentials)
  return { needsCode: twoFactor === true }
}

/** Completes a sign-in with a code of the authenticator app or a recovery code, which is then used up. */
export async function verifyCode(code: string, kind: 'app' | 'recovery'): Promise<void> {
  await post(`/api/auth/two-factor/${kind === 'app' ? 'verify-totp' : 'verify-backup-code'}`, { code })
}

/** Returns the provider's sign-in page, or null without one. The provider returns `nonce` to our own page. */
export async function startProviderSignIn(input: {
  provider: string
  nonce?: string
  returnTo?: string
}): Promise<string | null> {
  const { url } = await post('/api/auth/sign-in/social', input)
  return typeof url === 'string' ? url : null
}

/** Gets the options for signing in with a passkey. They are valid once, for a few minutes. */
export async function askForPasskey(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options: unknown = await post('/api/auth/passkey/authenticate-options', {})
  // The server returns its options in the format that browsers accept.
  return options as PublicKeyCredentialRequestOptionsJSON
}

/** Opens a login session for the owner of the passkey. `response` is the device's answer as JSON. */
export async function signInWithPasskey(response: unknown): Promise<void> {
  await post('/api/auth/passkey/verify-authentication', { response })
}

/** Ends the login session of this browser. */
export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
}

/** Posts to an endpoint and returns the unchecked properties of its answer. Refuses with `SignInError`. */
export async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json().catch(() => null)
  // The answer is not trusted: callers check each property.
  const parts = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  if (!response.ok) throw refusalOf(response, parts)
  return parts
}

/** Prefers the reason given for this case to the refusal's general message. */
function refusalOf(response: Response, { code, message, data }: Record<string, unknown>): SignInError {
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined
  return new SignInError(
    typeof code === 'string' ? code : '',
    response.status,
    [reason, message].find((text) => typeof text === 'string') ?? '',
    data,
  )
}
