import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { disclosureLanguages } from '#contract/staff/marketplaces.ts'
import type { DisclosureLanguage, MarketplaceEntry } from '#contract/staff/marketplaces.ts'
import { useControl } from '#web/kit/form-context.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { useFresh } from '#web/settings/fresh.tsx'
import { entryForm, linkEntryOf } from './entry-values.ts'
import type { EntryValues } from './entry-values.ts'
import { LinkTest } from './link-test.tsx'
import { laneLabels } from './marketplace-labels.ts'

type EntryFormProps = {
  /** Null for a new marketplace. */
  id: string | null
  defaultValues: EntryValues
  /** A closed marketplace keeps its lane until it is opened again. */
  isClosed?: boolean
  submitLabel: string
  cancelHref: string
  onSubmit: (given: { entry: MarketplaceEntry; reason: string }) => Promise<unknown>
}

/** Everything that the register holds about a marketplace. */
export function EntryForm({
  id,
  defaultValues,
  isClosed = false,
  submitLabel,
  cancelHref,
  onSubmit,
}: EntryFormProps) {
  const { fresh, identityWindow } = useFresh()
  return (
    <Form
      label="Marketplace"
      schema={entryForm}
      defaultValues={defaultValues}
      onSubmit={(given) => fresh(() => onSubmit(given))}
      className="gap-6"
    >
      {(form) => (
        <>
          <Section title="The marketplace" help="Sub-domains of the host belong to it.">
            <Field label="Name" name="name">
              <Input autoComplete="off" />
            </Field>
            <Field label="Host" name="host" help="Such as market.example.">
              <Input autoComplete="off" inputMode="url" />
            </Field>
            <Field label="Image hosts" name="imageHosts" optional help="One per line.">
              <Textarea rows={2} />
            </Field>
            <Field label="Its word for a verified purchase" name="verifiedPurchaseWord">
              <Input autoComplete="off" />
            </Field>
          </Section>

          <Section
            title="The policy"
            help="Changing the address, sentence or lane asks every member to agree again."
          >
            <Field label="Address of the policy" name="policyUrl" className="sm:col-span-2">
              <Input autoComplete="off" inputMode="url" />
            </Field>
            <Field
              label="The sentence the club relies on"
              name="policySentence"
              help="Word for word. Members read it before their first product or review there."
              className="sm:col-span-2"
            >
              <Textarea rows={3} />
            </Field>
            <Field label="Read on" name="readOn">
              <Input type="date" />
            </Field>
            <Field label="Next check" name="nextCheckOn">
              <Input type="date" />
            </Field>
            <Field label="Read by" name="readBy">
              <Input autoComplete="off" />
            </Field>
            <Field label="Lane" name="lane" className="sm:col-span-2">
              <RadioGroup
                look="cards"
                disabled={isClosed}
                options={(['public', 'private'] as const).map((lane) => ({
                  value: lane,
                  ...laneLabels[lane],
                }))}
              />
            </Field>
          </Section>

          <Section title="The disclosure" help="Each review in the public lane begins with it.">
            <Field label="In English" name="disclosure" className="sm:col-span-2">
              <Textarea rows={2} />
            </Field>
            <Field
              label="In other languages"
              name="disclosures"
              optional
              help="For members who use the club in this language. It speaks English today."
              className="sm:col-span-2"
            >
              <OtherDisclosures />
            </Field>
          </Section>

          <Section title="Coupons and orders" help="What members pay, and what proves a purchase.">
            <Field label="Coupon prices" name="couponPrices" help="In dollars, with commas.">
              <Input autoComplete="off" />
            </Field>
            <Field
              label="Order-number pattern"
              name="orderPattern"
              help="^0*(…)$ ignores leading zeros, so that one number cannot be written twice."
            >
              <Input autoComplete="off" spellCheck={false} className="font-mono" />
            </Field>
          </Section>

          <Section
            title="How links are read"
            help="Forms are characters and classes with both counts, such as EVEN-[A-Z]{3,8}."
          >
            <Field
              label="Listing paths"
              name="listingPaths"
              help="One per line, with {id} once; {title} is any one part. Links are kept by the first."
            >
              <Textarea rows={3} spellCheck={false} className="font-mono" />
            </Field>
            <Field label="Coupon forms" name="couponForms" help="One per line.">
              <Textarea rows={3} spellCheck={false} className="font-mono" />
            </Field>
            <Field label="Form of a listing’s id" name="listingIdForm">
              <Input autoComplete="off" spellCheck={false} className="font-mono" />
            </Field>
            <Field label="Coupon parameter" name="couponParameter">
              <Input autoComplete="off" spellCheck={false} className="font-mono" />
            </Field>
            <div className="sm:col-span-2">
              <LinkTest id={id} entry={linkEntryOf(form.values)} />
            </div>
          </Section>

          <Card>
            <Field
              label="Reason"
              name="reason"
              help="The record keeps it with your name and the entry before."
            >
              <Textarea rows={2} />
            </Field>
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <LinkButton href={cancelHref}>Cancel</LinkButton>
              <SubmitButton busyLabel="Saving…">{submitLabel}</SubmitButton>
            </div>
          </Card>
          {identityWindow}
        </>
      )}
    </Form>
  )
}

function Section({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <Card title={title} help={help}>
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">{children}</div>
    </Card>
  )
}

const languages = Object.entries(disclosureLanguages)

/** The sentence in each further language, by its code. */
function OtherDisclosures() {
  const [sentences, setSentences] = useControl<Record<string, string>>({}, {})
  const missing = languages.filter(([code]) => !(code in sentences))
  return (
    <div className="flex flex-col gap-3">
      {Object.entries(sentences).map(([code, sentence]) => {
        const language = disclosureLanguages[code as DisclosureLanguage]
        return (
          <div key={code} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <p aria-hidden="true" className="mb-1 text-12 text-ink-2">
                {language}
              </p>
              <textarea
                aria-label={`Disclosure in ${language}`}
                rows={2}
                value={sentence}
                onChange={({ target }) => setSentences({ ...sentences, [code]: target.value })}
                className="control field-sizing-content min-h-16 w-full px-3 py-2"
              />
            </div>
            <IconButton
              quiet
              label={`Remove ${language}`}
              icon={<X />}
              className="mt-5"
              onClick={() =>
                setSentences(
                  Object.fromEntries(Object.entries(sentences).filter(([other]) => other !== code)),
                )
              }
            />
          </div>
        )
      })}
      {missing.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {missing.map(([code, language]) => (
            <Button
              key={code}
              size="sm"
              icon={<Plus />}
              onClick={() => setSentences({ ...sentences, [code]: '' })}
            >
              {language}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
