import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOver } from '#contract/membership.ts'
import { mayCall, rights } from '#contract/rights.ts'
import { suspensionDays } from '#contract/staff/member-page.ts'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { NumberInput } from '#web/kit/ui/number-input.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { showFailure } from '#web/settings/fresh.tsx'
import { ActionDialog } from '../action-dialog.tsx'
import type { Action } from '../action-dialog.tsx'
import { staffApi, staffClient } from '../api.ts'

const forMember = 'The member reads it.'
const untilLifted = 'lifted'
const terms = suspensionDays.map((days) => ({
  value: days === null ? untilLifted : String(days),
  label: days === null ? 'Until staff lifts it' : days === 1 ? '1 day' : `${days} days`,
}))

/** What staff may do about a member. What needs an admin is not shown to support. */
export function MemberActions({ member }: { member: MemberPage }) {
  const { data: me } = useQuery(meOptions())
  const [open, setOpen] = useState<'suspend' | 'lift' | 'clear' | 'sessions' | 'grant' | null>(null)
  const [term, setTerm] = useState('7')
  const [days, setDays] = useState<number | null>(30)
  const resend = useMutation(
    staffApi.memberPages.resendVerification.mutationOptions({
      onSuccess: () => toast({ title: 'Confirmation link sent', tone: 'success' }),
      onError: (error) => showFailure(error, 'The link was not sent'),
    }),
  )
  const { id } = member
  const isPaying = member.membership.source === 'stripe' && !isOver(member.membership.state)
  const isAdmin = me ? mayCall(rights.memberPages.endSessions, me.role) : false
  const staffOnly = member.role !== 'user' && !isAdmin ? 'An admin decides about staff accounts.' : null
  const actions: Record<NonNullable<typeof open>, Action> = {
    suspend: {
      title: 'Suspend this member?',
      description:
        'They get no offers and can’t ask for reviews. Open offers are withdrawn, reviews in progress ' +
        'stay. They stay signed in.',
      help: forMember,
      confirm: 'Suspend',
      tone: 'danger',
      done: 'Member suspended',
      run: (reason, context) =>
        staffClient.memberPages.suspendMember(
          { id, reason, days: term === untilLifted ? null : Number(term) },
          { context },
        ),
    },
    lift: {
      title: 'Lift the suspension?',
      description: 'They take part again at once. Their requests return to their places.',
      help: 'Kept in the record of staff actions.',
      confirm: 'Lift the suspension',
      done: 'Suspension lifted',
      run: (reason, context) => staffClient.memberPages.liftSuspension({ id, reason }, { context }),
    },
    clear: {
      title: 'Clear what counts from before?',
      description:
        'For a member whose address was another person’s once. Strikes and sanctions of accounts that were ' +
        'deleted end, also for other accounts with those addresses. A suspension stays until it is lifted.',
      help: 'Kept in the record of staff actions.',
      confirm: 'Clear them',
      tone: 'danger',
      done: 'Nothing counts from before',
      run: (reason, context) => staffClient.memberPages.clearKept({ id, reason }, { context }),
    },
    sessions: {
      title: 'Sign this member out everywhere?',
      description: 'Every login session ends now. They sign in again with their password.',
      help: forMember,
      confirm: 'Sign out everywhere',
      tone: 'danger',
      done: 'Signed out everywhere',
      run: (reason, context) => staffClient.memberPages.endSessions({ id, reason }, { context }),
    },
    grant: {
      title: 'Grant days of membership?',
      description: 'A running membership is extended. Otherwise one starts now.',
      help: 'Kept in the record of staff actions.',
      confirm: 'Grant the days',
      done: 'Membership extended',
      run: (reason, context) =>
        staffClient.memberPages.grantMembership({ id, reason, days: days ?? 0 }, { context }),
    },
  }
  return (
    <div className="flex flex-wrap gap-2">
      {member.suspension ? (
        <Button disabledReason={staffOnly} onClick={() => setOpen('lift')}>
          Lift the suspension
        </Button>
      ) : null}
      <Button disabledReason={staffOnly} onClick={() => setOpen('suspend')}>
        Suspend
      </Button>
      {member.emailVerified ? null : (
        <Button busy={resend.isPending} onClick={() => resend.mutate({ id })}>
          Resend verification
        </Button>
      )}
      {isAdmin ? (
        <>
          <Button onClick={() => setOpen('sessions')}>Sign out everywhere</Button>
          <Button
            disabledReason={isPaying ? 'This member pays by subscription, so its period decides.' : null}
            onClick={() => setOpen('grant')}
          >
            Grant membership
          </Button>
          {member.fromBefore.strikes + member.fromBefore.sanctions > 0 ? (
            <Button onClick={() => setOpen('clear')}>Clear what counts from before</Button>
          ) : null}
        </>
      ) : null}
      {open ? (
        <ActionDialog action={actions[open]} onClose={() => setOpen(null)}>
          {open === 'suspend' ? (
            <Field label="For" noErrorLine className="mb-4">
              <Select options={terms} value={term} onValueChange={(value) => setTerm(value ?? '7')} />
            </Field>
          ) : open === 'grant' ? (
            <Field label="Days" noErrorLine className="mb-4">
              <NumberInput value={days} onValueChange={setDays} min={1} max={366} />
            </Field>
          ) : null}
        </ActionDialog>
      ) : null}
    </div>
  )
}
