import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Ellipsis, Link2, ScrollText, UserRoundCheck, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '@/api/session'
import {
  type Role,
  type User,
  useApproveInvitation,
  useCreateSignInLink,
  useUpdateUser,
} from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Menu, MenuItem } from '@/components/menu'
import { OutOfOfficeBadge } from '@/components/out-of-office-badge'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { SecretDialog } from '../secret-dialog'
import { useOpenSection } from '../use-search'
import { InviteLinkHelp } from './invite-link-help'
import { getRoleLabel, RoleSelect } from './roles'

type Props = { person: User; me: Me; administers: boolean }

export function PersonRow({ person, me, administers }: Props) {
  const change = useUpdateUser(person.userId)
  const makeLink = useCreateSignInLink(person.userId)
  const approve = useApproveInvitation(person.userId)
  const [asking, setAsking] = useState(false)
  const openSection = useOpenSection()
  const { name } = person
  const isMe = person.userId === me.user.userId
  const mayChange = administers && !isMe && (person.role !== 'owner' || me.role === 'owner')
  const who = <bdi>{name}</bdi>
  const error = change.error ?? makeLink.error ?? approve.error
  return (
    <>
      <tr>
        <td>
          <div className="flex items-center gap-3">
            <Avatar
              name={person.name}
              className={person.disabled ? 'grayscale max-sm:hidden' : 'max-sm:hidden'}
            />
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2">
                <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
                  {name}
                </span>
                {isMe && <Badge>{t({ message: 'You', comment: 'Badge next to your own name' })}</Badge>}
                {person.invitationHeld && <Badge tone="warn">{t`Needs approval`}</Badge>}
                {person.disabled && !person.invitationHeld && <Badge tone="bad">{t`Deactivated`}</Badge>}
                {!person.disabled && !person.lastSignInAt && <Badge tone="warn">{t`Invited`}</Badge>}
                {!person.disabled && <OutOfOfficeBadge absence={person.absence} />}
              </p>
              <p className="text-muted text-sm [overflow-wrap:anywhere]">{person.email}</p>
              <p className="text-muted text-sm md:hidden">{renderLastSignIn(person)}</p>
              {person.invitationHeld && (
                <p className="text-muted text-sm">
                  {t`Invited by an API key. They can't sign in until an admin approves the invite.`}
                </p>
              )}
            </div>
          </div>
        </td>
        <td>
          {mayChange && (!person.disabled || person.invitationHeld) ? (
            <RoleSelect
              aria-label={t`Role for ${name}`}
              mayMakeOwners={me.role === 'owner'}
              disabled={change.isPending}
              value={person.role}
              onChange={event => change.mutate({ role: event.target.value as Role })}
              className="-ms-2 w-28 px-1 border-transparent bg-transparent hover:border-line-strong/60"
            />
          ) : (
            getRoleLabel(person.role)
          )}
        </td>
        <td className="whitespace-nowrap text-muted max-md:hidden">{renderLastSignIn(person)}</td>
        <td>
          <div className="flex items-center justify-end gap-1 max-sm:flex-col max-sm:items-end">
            {mayChange && person.invitationHeld && (
              <Button size="small" kind="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
                {t`Approve`}
              </Button>
            )}
            {administers && (
              <Menu
                trigger={<IconButton label={t`More actions for ${name}`} icon={<Ellipsis />} className="" />}
              >
                {mayChange && !person.disabled && (
                  <MenuItem icon={<Link2 />} onSelect={() => makeLink.mutate()}>
                    {t`Create sign-in link`}
                  </MenuItem>
                )}
                <MenuItem
                  icon={<ScrollText />}
                  onSelect={() => openSection('audit-log', { actor: person.userId })}
                >
                  {t`View activity`}
                </MenuItem>
                {mayChange && person.invitationHeld && (
                  <MenuItem icon={<UserRoundX />} danger onSelect={() => change.mutate({ disabled: true })}>
                    {t`Decline invite`}
                  </MenuItem>
                )}
                {mayChange && person.disabled && !person.invitationHeld && (
                  <MenuItem icon={<UserRoundCheck />} onSelect={() => change.mutate({ disabled: false })}>
                    {t`Reactivate`}
                  </MenuItem>
                )}
                {mayChange && !person.disabled && (
                  <MenuItem icon={<UserRoundX />} danger onSelect={() => setAsking(true)}>
                    {t`Deactivate…`}
                  </MenuItem>
                )}
              </Menu>
            )}
          </div>
        </td>
      </tr>
      {error && (
        <tr>
          <td colSpan={4} className="border-b-0 pt-0">
            <FormError error={error} />
          </td>
        </tr>
      )}
      {asking && (
        <tr hidden>
          <td>
            <Confirm
              open
              onClose={() => setAsking(false)}
              title={t`Deactivate ${name}?`}
              confirm={t`Deactivate`}
              busy={change.isPending}
              onConfirm={() => change.mutate({ disabled: true }, { onSettled: () => setAsking(false) })}
            >
              {t`They're signed out immediately and can't sign in again. Their activity stays in the history. Their reviews stay assigned to them. If they're the only reviewer, an admin needs to decide or reassign the review. You can reactivate them anytime.`}
            </Confirm>
          </td>
        </tr>
      )}
      {approve.isSuccess && (
        <tr hidden>
          <td>
            <SecretDialog
              title={t`${name} was invited`}
              label={t`Invite link`}
              text={approve.data.invitationLink ?? ''}
              onClose={approve.reset}
            >
              <InviteLinkHelp email={person.email} />
            </SecretDialog>
          </td>
        </tr>
      )}
      {makeLink.isSuccess && (
        <tr hidden>
          <td>
            <SecretDialog
              title={t`Sign-in link for ${name}`}
              label={t`One-time link`}
              text={makeLink.data.signInLink}
              onClose={makeLink.reset}
            >
              <Trans>
                Send this link to {who}. We won't email it. It works once, expires{' '}
                <RelativeTime at={makeLink.data.expiresAt} />, and lets them set a new password. You won't be
                able to see it again.
              </Trans>
            </SecretDialog>
          </td>
        </tr>
      )}
    </>
  )
}

function renderLastSignIn(person: User) {
  return person.lastSignInAt ? <RelativeTime at={person.lastSignInAt} /> : t`Never signed in`
}
