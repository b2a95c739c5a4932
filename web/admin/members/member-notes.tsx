import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { prose } from '#contract/kit.ts'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { staffApi, staffClient } from '../api.ts'

const schema = z.object({ text: prose(2000).refine((text) => text !== '', 'Please write a note') })

/** What staff noted about a member, and a field for another note. */
export function MemberNotes({ member }: { member: MemberPage }) {
  const queryClient = useQueryClient()
  const [count, setCount] = useState(0)
  return (
    <Card title="Notes" help="For staff. The member finds them in the archive of their data.">
      <Form
        key={count}
        label="Add a note"
        schema={schema}
        defaultValues={{ text: '' }}
        onSubmit={async ({ text }) => {
          await staffClient.memberPages.addNote({ id: member.id, text })
          await queryClient.invalidateQueries({ queryKey: staffApi.memberPages.key() })
          setCount(count + 1)
        }}
      >
        <Field name="text" label="Note">
          <Textarea rows={2} maxLength={2000} />
        </Field>
        <SubmitButton size="sm" busyLabel="Adding...">
          Add the note
        </SubmitButton>
      </Form>
      {member.notes.length > 0 ? (
        <ol aria-label="Notes" className="mt-5 flex flex-col gap-4 border-t border-line pt-5">
          {member.notes.map(({ id, at, author, text }) => (
            <li key={id} className="text-14">
              <p className="wrap-anywhere whitespace-pre-line text-ink">{text}</p>
              <p className="mt-0.5 text-12 text-ink-3">
                {author}, <time dateTime={at}>{formatDateTime(at)}</time>
              </p>
            </li>
          ))}
        </ol>
      ) : null}
    </Card>
  )
}
