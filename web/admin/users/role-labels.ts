import type { Role } from '#contract/members.ts'

export const roleLabels: Record<Role, string> = { user: 'User', support: 'Support', admin: 'Admin' }
