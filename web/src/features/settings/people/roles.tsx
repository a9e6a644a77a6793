import type { ComponentProps } from 'react'
import type { Role } from '@/api/settings/people'
import { NativeSelect } from '@/components/input'

export const ROLES: Record<Role, { label: string; may: string }> = {
  owner: { label: 'Owner', may: 'Everything; makes other owners and changes the plan.' },
  admin: { label: 'Admin', may: 'Everything but owners and the plan: people, groups, keys, the audit log.' },
  editor: { label: 'Editor', may: 'Decides, asks for reviews, changes agents and review types.' },
  reviewer: { label: 'Reviewer', may: 'Decides reviews, retries and stops deliveries.' },
  viewer: { label: 'Viewer', may: 'Looks at everything and changes nothing.' },
}

export function RoleSelect({
  mayMakeOwners,
  ...rest
}: ComponentProps<'select'> & { mayMakeOwners: boolean }) {
  return (
    <NativeSelect {...rest}>
      {(Object.keys(ROLES) as Role[]).map(role => (
        <option key={role} value={role} disabled={role === 'owner' && !mayMakeOwners}>
          {ROLES[role].label}
        </option>
      ))}
    </NativeSelect>
  )
}

/** What each role may do, for whoever is about to give one. */
export function RoleWords() {
  return (
    <details className="max-w-prose text-sm">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">What the roles may do</summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {Object.entries(ROLES).map(([role, { label, may }]) => (
          <div key={role} className="contents">
            <dt className="font-medium">{label}</dt>
            <dd className="text-muted">{may}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
