import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import type { ContactField, ContactGiven } from '#contract/site.ts'
import { contactFields } from '#contract/site.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { buttonLook } from '#web/kit/ui/button.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { Operator } from './operator.tsx'
import { PageBand, PageHead } from './frame/page-head.tsx'

const blank: ContactGiven = {
  sent: false,
  values: { name: '', email: '', subject: '', message: '' },
  errors: {},
  failure: null,
}

/** A message to the staff, from members and visitors. The form works without a script. */
export function ContactPage({ contact = blank, signedIn, operator, demo }: PageGiven) {
  return (
    <>
      <PageHead
        title="Contact"
        lead={
          demo
            ? 'You can try the form, but this is a demo: only its staff accounts can answer.'
            : 'A person reads every message and answers by email, whether you’re a member or not.'
        }
      >
        <Operator operator={operator} demo={demo} />
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <div className="grid gap-x-20 gap-y-12 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {contact.sent ? <Sent demo={demo} /> : <ContactForm contact={contact} demo={demo} />}
          <Elsewhere signedIn={signedIn} />
        </div>
      </PageBand>
    </>
  )
}

function Sent({ demo }: { demo: boolean }) {
  return (
    <div>
      <Alert tone="success" title="Your message was sent">
        {demo
          ? 'In this demo, only its staff accounts can read it. Try it and answer it yourself.'
          : 'We’ll confirm it by email in a moment and answer to the same address. If nothing ' +
            'arrives, check your spam folder, or make sure you typed the address correctly.'}
      </Alert>
      <LinkButton href={paths.contact()} className="mt-5">
        Write another message
      </LinkButton>
    </div>
  )
}

type ContactFormProps = { contact: ContactGiven; demo: boolean }

function ContactForm({ contact: { values, errors, failure }, demo }: ContactFormProps) {
  const firstWrong = contactFields.find((field) => errors[field] !== undefined)
  const field = (name: ContactField) => ({
    name,
    value: values[name],
    error: errors[name],
    autoFocus: name === firstWrong,
  })
  return (
    <form method="post" action={paths.contact()} noValidate aria-label="Contact" className="flex flex-col">
      {failure ? (
        <Alert tone="danger" title="Your message wasn’t sent" className="mb-6">
          {failure}
        </Alert>
      ) : firstWrong ? (
        <Alert tone="danger" className="mb-6">
          We haven’t sent your message yet. Please fix the fields marked below. Nothing you wrote is lost.
        </Alert>
      ) : null}
      <div className="grid gap-x-5 sm:grid-cols-2">
        <TextField {...field('name')} label="Your name" autoComplete="name" />
        <TextField
          {...field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
        />
      </div>
      <TextField {...field('subject')} label="Subject" autoComplete="off" />
      <TextField {...field('message')} label="Message" rows={9} />
      {/* Hidden from people. A message with anything in this field is dropped. */}
      <div aria-hidden="true" className="absolute -left-[200vw] size-px overflow-hidden">
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <button type="submit" className={cx(buttonLook('primary', 'lg'), 'mt-1 self-start')}>
        Send message
      </button>
      <p className="mt-4 text-13 text-pretty text-ink-3">
        {demo ? 'We keep your message and address' : 'We keep your message and address so we can answer you'},
        as the <TextLink href={paths.privacy()}>privacy notice</TextLink> says.
      </p>
    </form>
  )
}

type TextFieldProps = {
  name: ContactField
  label: string
  value: string
  error: string | undefined
  autoFocus: boolean
  /** Several lines instead of one. */
  rows?: number
  type?: 'email'
  inputMode?: 'email'
  autoComplete?: string
  spellCheck?: boolean
}

/** A field that works without a script: label above, error below. The error's line always takes its space. */
function TextField({ name, label, value, error, rows, ...control }: TextFieldProps) {
  const id = `contact-${name}`
  const given = {
    ...control,
    id,
    name,
    defaultValue: value,
    'aria-required': true,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
  }
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-14 font-medium text-ink">
        {label}
      </label>
      {rows ? (
        <textarea
          {...given}
          rows={rows}
          className="control field-sizing-content max-h-[32rem] min-h-52 resize-y px-3.5 py-2.5 text-16"
        />
      ) : (
        <input {...given} type={given.type ?? 'text'} className="control h-11 px-3.5 text-16" />
      )}
      <p id={`${id}-error`} className="mt-1 min-h-7 text-13 font-medium text-danger-ink">
        {error}
      </p>
    </div>
  )
}

function Elsewhere({ signedIn }: { signedIn: boolean }) {
  return (
    <aside aria-label="Other ways" className="lg:pt-1">
      <ul className="space-y-8">
        <Way title="Common questions">
          The <TextLink href={paths.help()}>help pages</TextLink> answer most questions right away: expired
          links, emails that don’t arrive, how a review is checked.
        </Way>
        {signedIn ? (
          <Way title="You’re signed in">
            <TextLink href={paths.support()}>Support</TextLink> is quicker: we see your account, and you don’t
            have to type your address.
          </Way>
        ) : null}
        <Way title="Is something not working?">
          The <TextLink href={paths.status()}>status page</TextLink> shows which parts of the club are working
          right now.
        </Way>
        <Way title="Found a security problem?">
          Write to us here with “Security” in the subject. The{' '}
          <TextLink href={paths.security()}>security page</TextLink> says what we ask of you and what we
          promise in return.
        </Way>
      </ul>
    </aside>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h2 className="text-16 font-semibold text-ink">{title}</h2>
      <p className="mt-1 text-16 text-pretty text-ink-2">{children}</p>
    </li>
  )
}
