/*
 * The two endpoints of the sign-in library that screens call. They are outside the contract: this file alone knows
 * their addresses and the shape of their answers.
 */

/** A refused sign-in or sign-out: the library's code, the status, and words for people when it had any. */
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

/** Opens a login session in a cookie. Refuses with `SignInError`; a lost connection is a `TypeError`. */
export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  await post('/api/auth/sign-in/email', credentials)
}

/** Ends the login session of this browser. */
export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
}

async function post(path: string, body: Record<string, string>): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await refusalOf(response)
}

async function refusalOf(response: Response): Promise<SignInError> {
  const answer: unknown = await response.json().catch(() => null)
  const { code, message } =
    typeof answer === 'object' && answer !== null ? { code: '', message: '', ...answer } : none
  return new SignInError(
    typeof code === 'string' ? code : '',
    response.status,
    typeof message === 'string' ? message : '',
  )
}

const none = { code: '', message: '' }
