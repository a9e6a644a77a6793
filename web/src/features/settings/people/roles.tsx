import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import type { Role } from '@/api/settings/people'
import { NativeSelect } from '@/components/input'
import { i18n } from '@/lib/i18n'

const ROLES: Record<Role, { label: MessageDescriptor; may: MessageDescriptor }> = {
  owner: {
    label: msg({ message: 'Owner', comment: 'Role of a member' }),
    may: msg`Can do everything, including managing owners and the plan.`,
  },
  admin: {
    label: msg({ message: 'Admin', comment: 'Role of a member' }),
    may: msg`Can do everything except manage owners, the plan, and Slack's signing secret. Can manage members, groups, and API keys, and view the audit log.`,
  },
  editor: {
    label: msg({ message: 'Editor', comment: 'Role of a member' }),
    may: msg`Can decide and request reviews, and edit agents and review types.`,
  },
  reviewer: {
    label: msg({ message: 'Reviewer', comment: 'Role of a member' }),
    may: msg`Can decide reviews, and retry or cancel webhook deliveries.`,
  },
  viewer: {
    label: msg({ message: 'Viewer', comment: 'Role of a member' }),
    may: msg`Can view reviews, chats, and insights, but can't change anything.`,
  },
}

const ALL = Object.keys(ROLES) as Role[]

export const getRoleLabel = (role: Role): string => i18n._(ROLES[role].label)

/** The permissions of the role, in one or two sentences. */
export const getRoleHelp = (role: Role): string => i18n._(ROLES[role].may)

export function RoleSelect({
  mayMakeOwners,
  ...rest
}: ComponentProps<'select'> & { mayMakeOwners: boolean }) {
  return (
    <NativeSelect {...rest}>
      {ALL.map(role => (
        <option key={role} value={role} disabled={role === 'owner' && !mayMakeOwners}>
          {getRoleLabel(role)}
        </option>
      ))}
    </NativeSelect>
  )
}

/** The permissions of each role, for the person who assigns one. */
export function RoleDescription() {
  return (
    <details className="max-w-prose text-sm">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">{t`What each role can do`}</summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {ALL.map(role => (
          <div key={role} className="contents">
            <dt className="font-medium">{getRoleLabel(role)}</dt>
            <dd className="text-muted">{getRoleHelp(role)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
