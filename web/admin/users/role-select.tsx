import type { Role } from '#contract/members.ts'
import { mayCall, rights } from '#contract/rights.ts'
import type { UserRow } from '#contract/staff/users.ts'
import { Select } from '#web/kit/ui/select.tsx'
import { roleLabels } from './role-labels.ts'

type RoleSelectProps = {
  user: UserRow
  me: { id: string; role: Role } | undefined
  onRole: (role: Role) => void
}

/** The role of a member: a dropdown for admins, and text for those who can't change it. */
export function RoleSelect({ user, me, onRole }: RoleSelectProps) {
  const isMine = me?.id === user.id
  if (!me || isMine || !mayCall(rights.users.changeRole, me.role)) {
    return (
      <span className="text-14 text-ink">
        {roleLabels[user.role]}
        {isMine ? <span className="text-ink-3"> (you)</span> : null}
      </span>
    )
  }
  return (
    <Select
      size="sm"
      label={`Role of ${user.email}`}
      options={options}
      value={user.role}
      onValueChange={(role) => role && role !== user.role && onRole(role)}
      className="w-28"
    />
  )
}

const options = (['user', 'support', 'admin'] as const).map((value) => ({ value, label: roleLabels[value] }))
