import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Role, useInvite } from '@/api/settings/people'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Input, LabeledField } from '@/components/input'
import { Field, Form, useForm } from '../form'
import { SecretText } from '../secret-dialog'
import { InviteLinkHelp } from './invite-link-help'
import { getRoleHelp, RoleSelect } from './roles'

type Props = { open: boolean; onClose: () => void; mayMakeOwners: boolean }

/** Invites, then shows the link once. The entries stay if the dialog is closed before that. */
export function InviteDialog({ open, onClose, mayMakeOwners }: Props) {
  const id = useId()
  const [role, setRole] = useState<Role>('reviewer')
  const invite = useInvite()
  const form = useForm({
    saved: { email: '', name: '' },
    save: invite,
    toBody: ({ email, name }) => ({ email, role, ...(name.trim() && { name }) }),
  })
  const methods = useQuery(methodsQuery)
  const close = () => {
    if (invite.isSuccess) invite.reset()
    onClose()
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
            <Button onClick={invite.reset}>{t`Invite another`}</Button>
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
          <Button kind="primary" type="submit" form={id} busy={form.saving}>
            {methods.data?.mail ? t`Send invite` : t`Create invite link`}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} paths={['role']}>
        <Field form={form} name="email" label={t`Email`}>
          {attributes => <Input {...attributes} type="email" autoComplete="off" required />}
        </Field>
        <Field form={form} name="name" label={t`Name (optional)`}>
          {attributes => <Input {...attributes} autoComplete="off" maxLength={200} />}
        </Field>
        <LabeledField label={t`Role`} help={getRoleHelp(role)} error={getFieldError(form.error, 'role')}>
          {attributes => (
            <RoleSelect
              {...attributes}
              mayMakeOwners={mayMakeOwners}
              value={role}
              onChange={event => setRole(event.target.value as Role)}
            />
          )}
        </LabeledField>
      </Form>
    </Dialog>
  )
}
