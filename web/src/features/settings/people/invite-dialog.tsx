import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Role, useInvite } from '@/api/settings/people'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { SecretText } from '../secret-dialog'
import { InviteLinkHelp } from './invite-link-help'
import { getRoleHelp, RoleSelect } from './roles'

type Props = { open: boolean; onClose: () => void; mayMakeOwners: boolean }

/** Invites, then shows the link once. The entries stay if the dialog is closed before that. */
export function InviteDialog({ open, onClose, mayMakeOwners }: Props) {
  const form = useId()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('reviewer')
  const invite = useInvite()
  const methods = useQuery(methodsQuery)
  const resetForm = () => {
    setEmail('')
    setName('')
    invite.reset()
  }
  const close = () => {
    if (invite.isSuccess) resetForm()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate({ email, role, ...(name.trim() && { name }) })
  }
  if (invite.isSuccess)
    return (
      <Dialog
        open={open}
        onClose={close}
        firm
        title={t`${{ name: invite.data.name }} was invited`}
        actions={
          <>
            <Button onClick={resetForm}>{t`Invite another`}</Button>
            <Button kind="primary" onClick={close}>
              {t`Done`}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <SecretText label={t`Invite link`} text={invite.data.invitationLink ?? ''} />
          <p className="text-muted">
            <InviteLinkHelp email={invite.data.email} />
          </p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Invite member`}
      description={
        methods.data?.mail === false ? t`Email isn't set up, so you'll get a link to share.` : undefined
      }
      actions={
        <>
          <Button onClick={close}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} busy={invite.isPending}>
            {methods.data?.mail ? t`Send invite` : t`Create invite link`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={invite.error} paths={['email', 'name', 'role']} />
        <LabeledField label={t`Email`} error={getFieldError(invite.error, 'email')}>
          {attributes => (
            <Input
              {...attributes}
              type="email"
              autoComplete="off"
              required
              value={email}
              onChange={event => setEmail(event.target.value)}
            />
          )}
        </LabeledField>
        <LabeledField label={t`Name (optional)`} error={getFieldError(invite.error, 'name')}>
          {attributes => (
            <Input
              {...attributes}
              autoComplete="off"
              maxLength={200}
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </LabeledField>
        <LabeledField label={t`Role`} help={getRoleHelp(role)} error={getFieldError(invite.error, 'role')}>
          {attributes => (
            <RoleSelect
              {...attributes}
              mayMakeOwners={mayMakeOwners}
              value={role}
              onChange={event => setRole(event.target.value as Role)}
            />
          )}
        </LabeledField>
      </form>
    </Dialog>
  )
}
