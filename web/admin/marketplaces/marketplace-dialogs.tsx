import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { displayNameOf } from '#contract/members.ts'
import { checkDays } from '#contract/staff/marketplaces.ts'
import type { RegisterEntry } from '#contract/staff/marketplaces.ts'
import { useSession } from '#web/accounts/session.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { serverNow } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useFresh } from '#web/settings/fresh.tsx'
import { staffApi, staffClient } from '../api.ts'
import { countTally, formatTally } from '../list-tools.tsx'
import { inDays, reasonGiven } from './entry-values.ts'
import { laneLabels } from './marketplace-labels.ts'

type DialogProps = { found: RegisterEntry; onClose: () => void }

/** Runs a change with a recent sign-in, then shows the register as it is. */
function useChange(onClose: () => void) {
  const queries = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  async function change(work: () => Promise<unknown>, done: string) {
    await fresh(work)
    await queries.invalidateQueries({ queryKey: staffApi.marketplaces.key() })
    toast({ title: done, tone: 'success' })
    onClose()
  }
  return { change, identityWindow }
}

const reading = z.object({
  policySentence: z.string().trim().min(10, 'Copy the sentence that the club relies on, word for word.'),
  readBy: z.string().trim().min(1, 'Enter who read the policy.'),
  nextCheckOn: z.iso.date('Choose a day.'),
  reason: reasonGiven,
})

/** Records that the policy was read again today. */
export function CheckDialog({ found, onClose }: DialogProps) {
  // As it was opened: what someone else changes meanwhile is refused, not overwritten.
  const [{ id, version, entry }] = useState(found)
  const session = useSession()
  const { change, identityWindow } = useChange(onClose)
  const [values] = useState(() => ({
    policySentence: entry.policySentence,
    readBy: session.state === 'authed' ? displayNameOf(session.me) : '',
    nextCheckOn: inDays(new Date(serverNow()), checkDays),
    reason: '',
  }))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Policy read today"
      description={
        <>
          Read it now:{' '}
          <TextLink external href={entry.policyUrl}>
            {entry.name}’s policy
          </TextLink>
          . Another sentence asks every member for consent again.
        </>
      }
    >
      <Form
        label="Reading"
        schema={reading}
        defaultValues={values}
        onSubmit={(given) =>
          change(
            () => staffClient.marketplaces.checkMarketplace({ id, version, ...given }),
            'The reading is recorded',
          )
        }
      >
        <Field label="The sentence the club relies on" name="policySentence">
          <Textarea rows={3} />
        </Field>
        <Field label="Read by" name="readBy">
          <Input autoComplete="off" />
        </Field>
        <Field label="Next check" name="nextCheckOn">
          <Input type="date" />
        </Field>
        <Field label="Reason" name="reason" help="What you found, such as: nothing changed since August.">
          <Textarea rows={2} />
        </Field>
        <Footer onClose={onClose} label="Record the reading" />
        {identityWindow}
      </Form>
    </Dialog>
  )
}

const closing = z.object({
  reason: reasonGiven,
  reviews: z.enum(['finish', 'end'], 'Choose what becomes of the reviews in progress.'),
})

/** The kill switch. */
export function CloseDialog({ found, onClose }: DialogProps) {
  const { id, entry, openOffers, openRequests, inProgress, bought, sellers } = found
  const { change, identityWindow } = useChange(onClose)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Close ${entry.name}?`}
      description="From that moment nothing there is drawn, accepted or connected. You can open it again."
    >
      <ul className="mb-5 list-disc pl-5 text-14 text-ink-2">
        <li>{countTally(openOffers, 'open offer')} withdrawn, without a penalty.</li>
        <li>{countTally(openRequests, 'request')} on hold, each at its place.</li>
        <li>A notice and a mail with your reason to {countTally(sellers, 'seller')}.</li>
      </ul>
      <Form
        label="Closing"
        schema={closing}
        defaultValues={{ reason: '', reviews: null as never }}
        onSubmit={(given) =>
          change(() => staffClient.marketplaces.closeMarketplace({ id, ...given }), `${entry.name} is closed`)
        }
      >
        <Field label={`Reviews in progress (${formatTally(inProgress)})`} name="reviews">
          <RadioGroup
            look="cards"
            options={[
              {
                value: 'finish',
                label: 'Finish privately',
                help:
                  'They are submitted here as feedback to the seller, ' +
                  'count as usual, and are not posted.',
              },
              {
                value: 'end',
                label: 'End without fault',
                help:
                  'No strike, and each request waits at its place. ' +
                  `${countTally(bought, 'writer')} already bought.`,
              },
            ]}
          />
        </Field>
        <Field label="Reason" name="reason" help="Every member concerned reads it.">
          <Textarea rows={2} />
        </Field>
        <Footer onClose={onClose} label="Close the marketplace" tone="danger" />
        {identityWindow}
      </Form>
    </Dialog>
  )
}

const reopening = z.object({ reason: reasonGiven, lane: z.enum(['public', 'private'], 'Choose a lane.') })

/** Opens a closed marketplace again. */
export function ReopenDialog({ found, onClose }: DialogProps) {
  const { id, entry, openRequests } = found
  const { change, identityWindow } = useChange(onClose)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Open ${entry.name} again?`}
      description={
        `Requests on hold (${formatTally(openRequests)}) return to their places, ` +
        'and sellers get a notice.'
      }
    >
      <Form
        label="Opening"
        schema={reopening}
        defaultValues={{ reason: '', lane: entry.lane }}
        onSubmit={(given) =>
          change(() => staffClient.marketplaces.reopenMarketplace({ id, ...given }), `${entry.name} is open`)
        }
      >
        <Field label="Lane" name="lane" help="Another lane than before asks every member for consent again.">
          <RadioGroup
            look="cards"
            options={(['public', 'private'] as const).map((lane) => ({ value: lane, ...laneLabels[lane] }))}
          />
        </Field>
        <Field label="Reason" name="reason" help="The record keeps it with your name.">
          <Textarea rows={2} />
        </Field>
        <Footer onClose={onClose} label="Open the marketplace" />
        {identityWindow}
      </Form>
    </Dialog>
  )
}

type FooterProps = { onClose: () => void; label: ReactNode; tone?: 'primary' | 'danger' }

function Footer({ onClose, label, tone = 'primary' }: FooterProps) {
  return (
    <DialogFooter>
      <Button onClick={onClose}>Cancel</Button>
      <SubmitButton variant={tone} busyLabel="Saving…">
        {label}
      </SubmitButton>
    </DialogFooter>
  )
}
