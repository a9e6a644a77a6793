import { Ellipsis, Link2, ScrollText, UserRoundCheck, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '@/api/session'
import {
  type Role,
  type User,
  useApproveInvitation,
  useChangeUser,
  useMakeSignInLink,
} from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Away } from '@/components/away'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Menu, MenuItem } from '@/components/menu'
import { Badge } from '@/components/status'
import { Time } from '@/components/time'
import { ShownOnce } from '../shown-once'
import { CELL } from '../table'
import { useOpenSection } from '../use-search'
import { ROLES, RoleSelect } from './roles'

type Props = { person: User; me: Me; administers: boolean }

export function PersonRow({ person, me, administers }: Props) {
  const change = useChangeUser(person.userId)
  const makeLink = useMakeSignInLink(person.userId)
  const approve = useApproveInvitation(person.userId)
  const [asking, setAsking] = useState(false)
  const openSection = useOpenSection()
  const isMe = person.userId === me.user.userId
  const mayChange = administers && !isMe && (person.role !== 'owner' || me.role === 'owner')
  const error = change.error ?? makeLink.error ?? approve.error
  return (
    <>
      <tr>
        <td className={CELL}>
          <div className="flex items-center gap-3">
            <Avatar
              name={person.name}
              className={person.disabled ? 'grayscale max-sm:hidden' : 'max-sm:hidden'}
            />
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium [overflow-wrap:anywhere]">{person.name}</span>
                {isMe && <Badge>You</Badge>}
                {person.invitationHeld && <Badge tone="warn">Needs approval</Badge>}
                {person.disabled && !person.invitationHeld && <Badge tone="bad">Disabled</Badge>}
                {!person.disabled && !person.lastSignInAt && <Badge tone="warn">Invited</Badge>}
                {!person.disabled && <Away absence={person.absence} />}
              </p>
              <p className="text-muted text-sm [overflow-wrap:anywhere]">{person.email}</p>
              <p className="text-muted text-sm md:hidden">{lastSignIn(person)}</p>
              {person.invitationHeld && (
                <p className="text-muted text-sm">
                  An API key invited them. They can't sign in until you approve.
                </p>
              )}
            </div>
          </div>
        </td>
        <td className={CELL}>
          {mayChange && (!person.disabled || person.invitationHeld) ? (
            <RoleSelect
              aria-label={`Role of ${person.name}`}
              mayMakeOwners={me.role === 'owner'}
              disabled={change.isPending}
              value={person.role}
              onChange={event => change.mutate({ role: event.target.value as Role })}
              className="-ml-2 w-28! px-1! border-transparent! bg-transparent! hover:border-line-strong/60!"
            />
          ) : (
            ROLES[person.role].label
          )}
        </td>
        <td className={`${CELL} whitespace-nowrap text-muted max-md:hidden`}>{lastSignIn(person)}</td>
        <td className={CELL}>
          <div className="flex items-center justify-end gap-1 max-sm:flex-col max-sm:items-end">
            {mayChange && person.invitationHeld && (
              <Button
                size="small"
                kind="primary"
                busy={approve.isPending}
                onClick={() => approve.mutate()}
                className="max-md:h-11"
              >
                Approve
              </Button>
            )}
            {administers && (
              <Menu
                trigger={
                  <IconButton
                    label={`More for ${person.name}`}
                    icon={<Ellipsis size={16} />}
                    className="max-md:h-11 max-md:w-11"
                  />
                }
              >
                {mayChange && !person.disabled && (
                  <MenuItem icon={<Link2 size={15} />} onSelect={() => makeLink.mutate()}>
                    New sign-in link
                  </MenuItem>
                )}
                <MenuItem
                  icon={<ScrollText size={15} />}
                  onSelect={() => openSection('audit-log', { actor: person.userId })}
                >
                  What they did
                </MenuItem>
                {mayChange && person.invitationHeld && (
                  <MenuItem
                    icon={<UserRoundX size={15} />}
                    danger
                    onSelect={() => change.mutate({ disabled: true })}
                  >
                    Decline invitation
                  </MenuItem>
                )}
                {mayChange && person.disabled && !person.invitationHeld && (
                  <MenuItem
                    icon={<UserRoundCheck size={15} />}
                    onSelect={() => change.mutate({ disabled: false })}
                  >
                    Enable
                  </MenuItem>
                )}
                {mayChange && !person.disabled && (
                  <MenuItem icon={<UserRoundX size={15} />} danger onSelect={() => setAsking(true)}>
                    Disable …
                  </MenuItem>
                )}
              </Menu>
            )}
          </div>
        </td>
      </tr>
      {error && (
        <tr>
          <td colSpan={4} className="pb-2">
            <FormFault error={error} />
          </td>
        </tr>
      )}
      {asking && (
        <tr hidden>
          <td>
            <Confirm
              open
              onClose={() => setAsking(false)}
              title={`Disable ${person.name}?`}
              confirm="Disable"
              busy={change.isPending}
              onConfirm={() => change.mutate({ disabled: true }, { onSettled: () => setAsking(false) })}
            >
              They are signed out at once and cannot sign in. What they did stays in the history, and you can
              enable them again. Reviews that are assigned to them stay so: others with the same rights can
              decide them only if they are admins.
            </Confirm>
          </td>
        </tr>
      )}
      {approve.isSuccess && (
        <tr hidden>
          <td>
            <ShownOnce
              title={`${person.name} is invited`}
              label="Invitation link"
              text={approve.data.invitationLink ?? ''}
              onClose={approve.reset}
            >
              They get this link by email. If no mail server is set up, send it to them yourself. It's shown
              only now, works once, and expires in 7 days.
            </ShownOnce>
          </td>
        </tr>
      )}
      {makeLink.isSuccess && (
        <tr hidden>
          <td>
            <ShownOnce
              title={`Sign-in link for ${person.name}`}
              label="One-time link"
              text={makeLink.data.signInLink}
              onClose={makeLink.reset}
            >
              Hand it to them: no mail is sent. It is shown this once, works once, and ends{' '}
              <Time at={makeLink.data.expiresAt} />. With it they choose a new password.
            </ShownOnce>
          </td>
        </tr>
      )}
    </>
  )
}

function lastSignIn(person: User) {
  return person.lastSignInAt ? <Time at={person.lastSignInAt} /> : 'Never signed in'
}
