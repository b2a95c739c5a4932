// The form of the contact page, as a browser without a script sends it: the answer is a page.
import { accountRefusals } from '#contract/accounts.ts'
import { contactFields } from '#contract/site.ts'
import type { ContactField, ContactGiven } from '#contract/site.ts'
import { contactLengths, contactMessage, supportRefusals } from '#contract/support.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import type { HttpApp, HttpContext } from '#server/kit/http.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { readFormBody } from '#server/kit/request-body.ts'
import { limitContact, sendContactMessage } from '#server/support/contact.ts'
import type { Pages } from './pages.ts'

const path = '/contact'
/** A field that people do not see. Programs that fill in whatever they find are told what people are told, and nothing is kept. */
const trap = 'website'

const blank: ContactGiven = {
  sent: false,
  values: { name: '', email: '', subject: '', message: '' },
  errors: {},
  failure: null,
}

/** Answers the form with a page that says what is wrong and keeps what was written, or leads to the page that says it was sent. */
export function mountContact(app: HttpApp, pages: Pick<Pages, 'answer'>) {
  app.get(path, (c, next) => {
    if (c.req.query('sent') === undefined) return next()
    return pages.answer(c, path, { contact: { ...blank, sent: true } }, 200)
  })

  app.post(path, async (c) => {
    const form = await readForm(c)
    if (form === null) return answer(c, { failure: tooLong }, 400)
    const values = valuesOf(form)
    if (form.get(trap)) return c.redirect(`${path}?sent=1`, 303)
    const errors = errorsOf(values)
    if (Object.keys(errors).length > 0) return answer(c, { values, errors }, 400)
    try {
      await limitContact(c.get('ctx'), values.email)
      await sendContactMessage(c.get('ctx'), contactMessage.parse(values))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const field = contactFields.find((name) => name === error.data?.field)
      if (field) return answer(c, { values, errors: { [field]: error.message } }, 400)
      const page = await answer(c, { values, failure: error.message }, error.status === 429 ? 429 : 400)
      if (error.retryAfter) page.headers.set('retry-after', String(error.retryAfter))
      return page
    }
    return c.redirect(`${path}?sent=1`, 303)
  })

  function answer(c: HttpContext, given: Partial<ContactGiven>, status: 400 | 429) {
    return pages.answer(c, path, { contact: { ...blank, ...given } }, status)
  }
}

const tooLong = 'This message is too long to be taken. Please shorten it and send it again.'

/** Null for a body that is larger than any message may be. */
async function readForm(c: HttpContext) {
  try {
    return await readFormBody(c.req.raw)
  } catch (error) {
    if (isRefusal(error, 'TOO_LARGE')) return null
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
      errors[field] = `Please use at most ${contactLengths[field].toLocaleString('en-US')} characters.`
    else if (!success) errors[field] = error.issues[0]?.message ?? supportRefusals.FIELDS_MISSING.message
    else if (field === 'email' && !isEmail(values.email)) errors.email = accountRefusals.INVALID_EMAIL.message
  }
  return errors
}

function isEmail(text: string) {
  try {
    readEmail(text)
    return true
  } catch (error) {
    if (isRefusal(error, 'INVALID_EMAIL')) return false
    throw error
  }
}
