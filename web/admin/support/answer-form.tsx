import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MessageSquareText } from 'lucide-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { Thread } from '#contract/staff/support-desk.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'
import { staffApi, staffClient } from '../api.ts'
import { keptName } from './kept-answer.ts'
import type { OwnChanges } from './own-changes.ts'
import { SavedReplies } from './saved-replies.tsx'

type AnswerFormProps = {
  thread: Thread
  answer: RefObject<HTMLTextAreaElement | null>
  /** The version of the thread that the reader has seen. */
  seenVersion: number
  own: OwnChanges
  onSeen: () => void
}
type Kind = 'answer' | 'note'
type Sent = { as: Kind; body: string; resolve: boolean }

const kinds = [
  { value: 'answer', label: 'Answer' },
  { value: 'note', label: 'Internal note' },
] as const

/**
 * Writes an answer, or a note for the staff. An answer is sent for the version of the thread at which it was
 * begun: when a colleague or the writer was faster, it is kept and has to be sent again.
 */
export function AnswerForm({ thread, answer, seenVersion, own, onSeen }: AnswerFormProps) {
  const [kind, setKind] = useState<Kind>('answer')
  const [texts, setTexts] = useState<Record<Kind, string>>(() => ({
    answer: readDraft(keptName(thread.id, 'answer')),
    note: readDraft(keptName(thread.id, 'note')),
  }))
  const [failure, setFailure] = useState<string | null>(null)
  const [choosing, setChoosing] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const queryClient = useQueryClient()
  const text = texts[kind]
  const isBehind = texts.answer.trim() !== '' && thread.version !== seenVersion

  function write(next: string) {
    // What was read up to the first letter is what the answer is about.
    if (kind === 'answer' && texts.answer.trim() === '') onSeen()
    setTexts((was) => ({ ...was, [kind]: next }))
  }

  const sending = useMutation({
    // An answer waits for the end of what was pressed before it, and goes for the version after that.
    scope: { id: thread.id },
    mutationFn: async ({ as, body, resolve }: Sent) => {
      const { id } = thread
      if (as === 'note') return void (await staffClient.supportDesk.addNote({ id, body }))
      const seen = own.after(seenVersion)
      const { version } = await staffClient.supportDesk.answerMessage({ id, version: seen, body, resolve })
      own.record(seen, version)
    },
    onMutate: () => setFailure(null),
    onSuccess(_, { as }) {
      setTexts((was) => ({ ...was, [as]: '' }))
      // The form may be gone by now, so that no effect follows.
      dropDraft(keptName(thread.id, as))
      if (as === 'answer') dropDraft(keptName(thread.id, 'version'))
      toast({ title: as === 'note' ? 'Note added' : 'Answer sent', tone: 'success' })
    },
    onError: (error) =>
      setFailure(
        refusalCode(error) === 'THREAD_CHANGED' ? null : (failureOf(error).message ?? 'That didn’t work.'),
      ),
    onSettled: () => refresh(thread.id),
  })
  const busy = sending.isPending ? (sending.variables.resolve ? 'resolve' : 'send') : null

  function send(resolve: boolean) {
    if (text.trim() !== '' && !busy) sending.mutate({ as: kind, body: text, resolve })
  }

  function refresh(id: string) {
    return Promise.all([
      queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.getThread.key({ input: { id } }) }),
      queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.listMessages.key() }),
    ])
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send(false)
  }

  function insert(body: string) {
    const filled = body.replaceAll('{name}', thread.writer?.name ?? thread.name)
    write(texts.answer.trim() === '' ? filled : `${texts.answer.trimEnd()}\n\n${filled}`)
    setChoosing(false)
  }

  const isEmpty = text.trim() === ''
  return (
    <Card aria-label="Answer or note">
      <KeepDraft name={keptName(thread.id, 'answer')} text={texts.answer} />
      <KeepDraft
        name={keptName(thread.id, 'version')}
        text={texts.answer === '' ? '' : String(seenVersion)}
      />
      <KeepDraft name={keptName(thread.id, 'note')} text={texts.note} />
      <div ref={form} data-unsaved={texts.answer || texts.note ? '' : undefined}>
        <Tabs label="What you write" tabs={kinds} value={kind} onValueChange={setKind}>
          {isBehind && kind === 'answer' ? (
            <Alert
              tone="warning"
              announce
              className="mb-4"
              title="Something changed since you began to write"
              action={
                <Button size="sm" onClick={onSeen}>
                  I’ve read it
                </Button>
              }
            >
              {whatChanged(thread)} Your text is still here.
            </Alert>
          ) : null}
          {failure ? (
            <Alert tone="danger" className="mb-4">
              {failure}
            </Alert>
          ) : null}
          <Field
            label={kind === 'answer' ? 'Your answer' : 'Your note'}
            help={kind === 'answer' ? whereTo(thread) : 'Only staff can read it.'}
            noErrorLine
          >
            <Textarea
              ref={kind === 'answer' ? answer : undefined}
              rows={6}
              maxLength={5000}
              value={text}
              onValueChange={write}
              onKeyDown={sendByKey}
            />
          </Field>
          <div className="mt-4 flex flex-wrap items-center gap-2">
            {kind === 'answer' ? (
              <Button icon={<MessageSquareText />} className="mr-auto" onClick={() => setChoosing(true)}>
                Saved replies
              </Button>
            ) : null}
            {kind === 'answer' && thread.status === 'open' ? (
              <Button
                busy={busy === 'resolve'}
                busyLabel="Sending..."
                disabledReason={blocked(isEmpty, isBehind)}
                onClick={() => send(true)}
              >
                Send and resolve
              </Button>
            ) : null}
            <Button
              variant="primary"
              busy={busy === 'send'}
              busyLabel={kind === 'answer' ? 'Sending...' : 'Adding...'}
              disabledReason={blocked(isEmpty, kind === 'answer' && isBehind)}
              onClick={() => send(false)}
            >
              {kind === 'answer' ? 'Send answer' : 'Add note'}
            </Button>
          </div>
        </Tabs>
      </div>
      <SavedReplies open={choosing} onOpenChange={setChoosing} onInsert={insert} />
    </Card>
  )
}

function blocked(isEmpty: boolean, isBehind: boolean) {
  if (isEmpty) return 'Write something first.'
  return isBehind ? 'Read what is new first.' : null
}

function whatChanged({ entries, status, assignedTo }: Thread): string {
  const last = entries.findLast(({ kind }) => kind !== 'note')
  if (last && last.kind === 'answer' && !last.mine) return `${last.author} answered.`
  if (last && last.kind === 'reply') return 'The writer wrote back.'
  if (status === 'resolved') return 'The message was resolved.'
  return assignedTo ? `It is assigned to ${assignedTo.name} now.` : 'It was assigned or opened again.'
}

function whereTo({ answersTo, bounced, writer }: Thread) {
  if (bounced)
    return `Email to ${answersTo} bounced earlier, so it won’t arrive${
      writer ? '. The answer waits in their account.' : '.'
    }`
  return `Goes by email to ${answersTo}${writer ? ', and into their account.' : '.'}`
}
