import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { displayNameOf, memberRefusals } from '#contract/members.ts'
import type { Me } from '#contract/members.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Avatar } from '#web/kit/ui/avatar.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { isOfItsType } from '#web/kit/ui/file-content.ts'
import { FilePicture } from '#web/kit/ui/file-picture.tsx'
import { ProgressBar } from '#web/kit/ui/progress-bar.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { avatarKinds, canBeAvatar, uploadAvatar } from './avatar-upload.ts'

/** Uploads, replaces or removes my picture. A chosen file is uploaded at once and shown during the upload. */
export function AvatarPicker({ me }: { me: Me }) {
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const [share, setShare] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useMutation({
    mutationFn: (file: File) => uploadAvatar(file, setShare),
    onSuccess: async () => {
      // The chosen file is shown until the address of the stored picture is known.
      await refetch()
      toast({ title: 'Picture saved', tone: 'success' })
    },
    onError: (error) => setProblem(messageOf(error)),
  })
  const remove = useMutation({
    mutationFn: () => client.members.removeAvatar({}),
    onMutate: () => setProblem(null),
    onSuccess: async () => {
      await refetch()
      toast({ title: 'Picture removed', tone: 'success' })
      // The button that had the focus is no longer on the page.
      choose.current?.focus()
    },
    onError: (error) => setProblem(messageOf(error)),
  })

  function refetch() {
    return queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
  }

  async function take(file: File | undefined) {
    if (!file) return
    const may = canBeAvatar(file)
    const problem =
      may !== true ? may : (await isOfItsType(file)) ? null : memberRefusals.UNREADABLE_AVATAR.message
    setProblem(problem)
    if (problem !== null) return
    setShare(0)
    upload.mutate(file)
  }

  const shown = me.avatar === null ? null : paths.avatar(me.avatar, 256)
  return (
    <div className="flex items-center gap-5">
      {upload.isPending ? (
        <FilePicture
          file={upload.variables}
          alt=""
          className="size-20 shrink-0 rounded-full border border-line object-cover opacity-60"
        />
      ) : (
        <Avatar size="xl" name={displayNameOf(me)} src={shown} />
      )}
      <div className="min-w-0 flex-1">
        {upload.isPending ? (
          <div className="flex min-h-9 items-center">
            <ProgressBar value={share} label="Uploading your picture" className="w-full max-w-60" />
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button ref={choose} icon={<Upload />} onClick={() => input.current?.click()}>
              {shown ? 'Replace picture' : 'Upload picture'}
            </Button>
            {shown ? (
              <Button
                variant="ghost"
                icon={<Trash2 />}
                busy={remove.isPending}
                busyLabel="Removing..."
                onClick={() => remove.mutate()}
              >
                Remove
              </Button>
            ) : null}
          </div>
        )}
        <p className="mt-2 text-12 text-ink-3">
          JPG or PNG under 2 MB. We crop it to a square from the center.
        </p>
        <p role="alert" className="text-12 leading-5 font-medium text-danger-ink empty:hidden">
          {problem}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        accept={avatarKinds.join(',')}
        aria-label="Picture"
        hidden
        onChange={(event) => {
          void take(event.target.files?.[0])
          // Cleared, so that the same file can be chosen again after a failure.
          event.target.value = ''
        }}
      />
    </div>
  )
}

function messageOf(error: unknown): string {
  const { message, fields } = failureOf(error)
  return message ?? Object.values(fields ?? {})[0] ?? 'Your picture could not be saved. Try again.'
}
