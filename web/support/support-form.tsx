import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { line, prose } from '#contract/kit.ts'
import { supportCategories, supportCategory, supportRefusals } from '#contract/support.ts'
import type { SupportCategory } from '#contract/support.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { useRepeatableCall } from '#web/kit/repeatable-call.ts'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

const missing = supportRefusals.FIELDS_MISSING.message

const supportRequest = z.object({
  category: supportCategory.nullable().refine((chosen) => chosen !== null, missing),
  subject: line(140).refine((text) => text !== '', missing),
  message: prose(5000).refine((text) => text !== '', missing),
})

const empty = { category: null, subject: '', message: '' }

const categories = Object.entries(supportCategories).map(([value, label]) => ({
  // The keys of this object are the categories.
  value: value as SupportCategory,
  label,
}))

/** Sends a message to the staff. All fields are required. */
export function SupportForm({ demo }: { demo: boolean }) {
  const queryClient = useQueryClient()
  const send = useRepeatableCall()
  return (
    <Form
      label="Contact Support"
      schema={supportRequest}
      defaultValues={empty}
      onSubmit={async ({ category, subject, message }, form) => {
        if (category === null) return
        const request = { category, subject, message }
        await send(request, (context) => client.support.submitSupportRequest(request, { context }))
        form.reset(empty)
        await queryClient.invalidateQueries({ queryKey: api.support.listMyMessages.key() })
        toast({
          title: 'Support request submitted successfully',
          description: demo
            ? 'In this demo, sign in as its staff to answer it.'
            : 'We’ll confirm it by email and answer there.',
          tone: 'success',
        })
      }}
      explain={(error) => {
        const failure = failureOf(error)
        if (failure.fields) return failure
        toast({ title: 'Failed to submit support request', tone: 'danger' })
        return { title: 'Failed to submit support request', message: failure.message }
      }}
    >
      <Field name="category" label="Category">
        <Select options={categories} placeholder="What is it about?" />
      </Field>
      <Field name="subject" label="Subject">
        <Input maxLength={140} autoComplete="off" />
      </Field>
      <Field name="message" label="Message" help="Describe what happened and what you expected.">
        <Textarea rows={7} maxLength={5000} />
      </Field>
      <SubmitButton className="mt-1 self-start" busyLabel="Sending...">
        Send message
      </SubmitButton>
    </Form>
  )
}
