import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquareText, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { line, prose } from '#contract/kit.ts'
import type { SavedReply } from '#contract/staff/support-desk.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { Loading, SkeletonText } from '#web/kit/ui/skeleton.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { staffApi, staffClient } from '../api.ts'

type SavedRepliesProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Puts the text into the answer. Without it the dialog only manages them. */
  onInsert?: (body: string) => void
}

/** The replies that our staff saved: to insert, add, change and delete. */
export function SavedReplies({ open, onOpenChange, onInsert }: SavedRepliesProps) {
  const [editing, setEditing] = useState<SavedReply | 'new' | null>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setEditing(null)
        onOpenChange(next)
      }}
      title={editing === null ? 'Saved replies' : editing === 'new' ? 'New saved reply' : 'Edit saved reply'}
      description={
        editing === null
          ? 'Texts for questions that come up often. Shared by all staff.'
          : 'Write {name} where the name of the person goes.'
      }
      size="lg"
    >
      {editing === null ? (
        <ReplyList onEdit={setEditing} onInsert={onInsert} />
      ) : (
        <ReplyForm reply={editing} onDone={() => setEditing(null)} />
      )}
    </Dialog>
  )
}

type ReplyListProps = {
  onEdit: (reply: SavedReply | 'new') => void
  onInsert: ((body: string) => void) | undefined
}

function ReplyList({ onEdit, onInsert }: ReplyListProps) {
  const replies = useQuery(staffApi.supportDesk.listSavedReplies.queryOptions())
  const [deleting, setDeleting] = useState<SavedReply | null>(null)
  const remove = useRemove()
  if (replies.isPending) {
    return (
      <Loading label="Loading saved replies">
        <SkeletonText lines={4} />
      </Loading>
    )
  }
  if (replies.isError && !replies.data) {
    return (
      <ErrorState
        level={3}
        title="The saved replies could not be loaded"
        onRetry={() => void replies.refetch()}
        retrying={replies.isFetching}
        error={replies.error}
      />
    )
  }
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => onEdit('new')}>
      New saved reply
    </Button>
  )
  if (replies.data.length === 0) {
    return (
      <EmptyState level={3} icon={<MessageSquareText />} title="No saved replies yet" action={add}>
        Save an answer once, and insert it with two clicks.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {replies.data.map((reply) => (
          <li key={reply.id} className="flex items-center gap-2 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="truncate text-14 font-medium text-ink">{reply.title}</p>
              <p className="truncate text-13 text-ink-2">{reply.body}</p>
            </div>
            {onInsert ? (
              <Button size="sm" aria-label={`Insert: ${reply.title}`} onClick={() => onInsert(reply.body)}>
                Insert
              </Button>
            ) : null}
            <IconButton
              quiet
              size="sm"
              label={`Edit: ${reply.title}`}
              icon={<Pencil />}
              onClick={() => onEdit(reply)}
            />
            <IconButton
              quiet
              size="sm"
              label={`Delete: ${reply.title}`}
              icon={<Trash2 />}
              onClick={() => setDeleting(reply)}
            />
          </li>
        ))}
      </ul>
      <DialogFooter>{add}</DialogFooter>
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title="Delete this saved reply?"
        description={`“${deleting?.title ?? ''}” is deleted for all staff. Answers that used it stay.`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        onConfirm={() => remove.mutateAsync(deleting?.id ?? '')}
      />
    </>
  )
}

const replyFields = z.object({
  title: line(80).refine((text) => text !== '', 'Please enter a title'),
  body: prose(5000).refine((text) => text !== '', 'Please enter the text'),
})

function ReplyForm({ reply, onDone }: { reply: SavedReply | 'new'; onDone: () => void }) {
  const queryClient = useQueryClient()
  return (
    <Form
      label="Saved reply"
      schema={replyFields}
      defaultValues={reply === 'new' ? { title: '', body: '' } : { title: reply.title, body: reply.body }}
      onSubmit={async (fields) => {
        if (reply === 'new') await staffClient.supportDesk.addSavedReply(fields)
        else await staffClient.supportDesk.editSavedReply({ id: reply.id, ...fields })
        await queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.listSavedReplies.key() })
        onDone()
      }}
    >
      <Field name="title" label="Title">
        <Input maxLength={80} autoComplete="off" />
      </Field>
      <Field name="body" label="Text">
        <Textarea rows={8} maxLength={5000} />
      </Field>
      <DialogFooter>
        <Button onClick={onDone}>Back</Button>
        <SubmitButton busyLabel="Saving...">Save</SubmitButton>
      </DialogFooter>
    </Form>
  )
}

function useRemove() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => staffClient.supportDesk.deleteSavedReply({ id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: staffApi.supportDesk.listSavedReplies.key() }),
  })
}
