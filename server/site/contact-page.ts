// The form of the contact page, sent without a script: each answer is a page.
import { accountRefusals } from '#contract/accounts.ts'
import { contactFields } from '#contract/site.ts'
import type { ContactField, ContactGiven } from '#contract/site.ts'
import { contactLengths, contactMessage, supportRefusals } from '#contract/support.ts'
import { minutes, number } from '#contract/format.ts'
import { parseEmail } from '#server/accounts/email-address.ts'
import type { EdgeError } from '#server/kit/http/edge-errors.ts'
import type { HttpApp, HttpContext } from '#server/kit/http/http.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { readFormBody, UnsupportedBody } from '#server/kit/http/request-body.ts'
import { limitContact, sendContactMessage } from '#server/support/contact.ts'
import type { Pages } from './pages.ts'

export const contactPath = '/contact'
/** A field that people do not see. Programs that fill it in get the usual answer, and nothing is stored. */
const trap = 'website'

const blank: ContactGiven = {
  sent: false,
  values: { name: '', email: '', subject: '', message: '' },
  errors: {},
  failure: null,
}

/** Answers the form with its errors and what was written, or redirects to the page that says it was sent. */
export function mountContact(app: HttpApp, pages: Pick<Pages, 'answer'>) {
  app.get(contactPath, (c, next) => {
    if (c.req.query('sent') === undefined) return next()
    return pages.answer(c, contactPath, { contact: { ...blank, sent: true } }, 200)
  })

  app.post(contactPath, async (c) => {
    const form = await readForm(c)
    if (form === null) return answer(c, { failure: messageTooLong }, 400)
    if (form === 'unreadable') throw new UnsupportedBody()
    const values = valuesOf(form)
    if (form.get(trap)) return c.redirect(`${contactPath}?sent=1`, 303)
    const errors = errorsOf(values)
    if (Object.keys(errors).length > 0) return answer(c, { values, errors }, 400)
    try {
      await limitContact(c.get('ctx'), values.email)
      await sendContactMessage(c.get('ctx'), contactMessage.parse(values))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const field = contactFields.find((name) => name === error.data?.field)
      if (field) return answer(c, { values, errors: { [field]: error.message } }, 400)
      const page = await contactNotTaken(c, error, pages)
      if (error.retryAfter) page.headers.set('retry-after', String(error.retryAfter))
      return page
    }
    return c.redirect(`${contactPath}?sent=1`, 303)
  })

  function answer(c: HttpContext, given: Partial<ContactGiven>, status: number) {
    return pages.answer(c, contactPath, { contact: { ...blank, ...given } }, status)
  }
}

/**
 * The form again when a message was not accepted, with what was written and the reason. Text that another
 * site sent is not repeated.
 */
export async function contactNotTaken(c: HttpContext, error: EdgeError, pages: Pick<Pages, 'answer'>) {
  const form = isFromElsewhere(c) ? null : await readForm(c)
  const values = form instanceof URLSearchParams ? valuesOf(form) : blank.values
  const failure = [values === blank.values ? '' : 'What you wrote is still below.', whyNot(c, error)]
  return pages.answer(
    c,
    contactPath,
    { contact: { ...blank, values, failure: failure.join(' ').trim() } },
    error.status,
  )
}

function isFromElsewhere(c: HttpContext) {
  return ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')
}

function whyNot(c: HttpContext, { status, message, retryAfter = 0 }: EdgeError): string {
  if (status === 429) {
    const wait = minutes(Math.max(1, Math.ceil(retryAfter / 60)))
    return `We can’t accept more messages at the moment. Please send it again in ${wait}.`
  }
  if (status !== 403) return message
  if (isFromElsewhere(c))
    return 'Another site tried to send this form. If you want to write to us, please use this page.'
  const ours = c.get('ctx').config.origin + contactPath
  return (
    'Your browser didn’t confirm that this form came from our page. Please send it again. ' +
    `If that fails too, open ${ours} and send it from there.`
  )
}

const messageTooLong = 'This message is too long. Please shorten it and send it again.'

type Form = URLSearchParams | null | 'unreadable'
const forms = new WeakMap<Request, Promise<Form>>()

/**
 * Null for a body that is larger than a message may be. The body is read once, and shown again after an
 * error.
 */
function readForm(c: HttpContext): Promise<Form> {
  const form = forms.get(c.req.raw) ?? readFormOnce(c.req.raw)
  forms.set(c.req.raw, form)
  return form
}

async function readFormOnce(request: Request): Promise<Form> {
  try {
    return await readFormBody(request)
  } catch (error) {
    if (isRefusal(error, 'TOO_LARGE')) return null
    if (error instanceof UnsupportedBody) return 'unreadable'
    throw error
  }
}

/** Browsers send the line breaks of a form as two characters. */
function valuesOf(form: URLSearchParams): Record<ContactField, string> {
  const value = (name: ContactField) => (form.get(name) ?? '').replaceAll('\r\n', '\n')
  return { name: value('name'), email: value('email'), subject: value('subject'), message: value('message') }
}

function errorsOf(values: Record<ContactField, string>): ContactGiven['errors'] {
  const errors: ContactGiven['errors'] = {}
  for (const field of contactFields) {
    const { success, error } = contactMessage.shape[field].safeParse(values[field])
    if (values[field].trim() === '') errors[field] = supportRefusals.FIELDS_MISSING.message
    else if (values[field].trim().length > contactLengths[field])
      errors[field] = `Please use at most ${number(contactLengths[field])} characters.`
    else if (!success) errors[field] = error.issues[0]?.message ?? supportRefusals.FIELDS_MISSING.message
    else if (field === 'email' && parseEmail(values.email) === null)
      errors.email = accountRefusals.INVALID_EMAIL.message
  }
  return errors
}
