import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { faultAt } from '@/api/faults'
import { type Role, useInvite } from '@/api/settings/people'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled } from '@/components/input'
import { SecretText } from '../shown-once'
import { ROLES, RoleSelect } from './roles'

type Props = { open: boolean; onClose: () => void; mayMakeOwners: boolean }

/** Invites, then shows the link this once. What was typed stays when somebody looks elsewhere. */
export function InviteDialog({ open, onClose, mayMakeOwners }: Props) {
  const form = useId()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('reviewer')
  const invite = useInvite()
  const methods = useQuery(methodsQuery)
  const again = () => {
    setEmail('')
    setName('')
    invite.reset()
  }
  const close = () => {
    if (invite.isSuccess) again()
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
        title={`${invite.data.name} is invited`}
        actions={
          <>
            <Button onClick={again}>Invite another</Button>
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <SecretText label="Invitation link" text={invite.data.invitationLink ?? ''} />
          <p className="text-muted">
            {methods.data?.mail
              ? `${invite.data.email} gets it by mail, too.`
              : `Hand it to ${invite.data.email}: no mail is sent.`}{' '}
            It is shown this once, signs them in once, and works for 7 days. You can make another one here
            later.
          </p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Invite somebody"
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={invite.isPending}>
            Make the invitation
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormFault error={invite.error} paths={['email', 'name', 'role']} />
        <Labelled label="E-mail address" error={faultAt(invite.error, 'email')}>
          {ties => (
            <Input
              {...ties}
              type="email"
              autoComplete="off"
              required
              value={email}
              onChange={event => setEmail(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Name (optional)" error={faultAt(invite.error, 'name')}>
          {ties => (
            <Input
              {...ties}
              autoComplete="off"
              maxLength={200}
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Role" help={ROLES[role].may} error={faultAt(invite.error, 'role')}>
          {ties => (
            <RoleSelect
              {...ties}
              mayMakeOwners={mayMakeOwners}
              value={role}
              onChange={event => setRole(event.target.value as Role)}
            />
          )}
        </Labelled>
      </form>
    </Dialog>
  )
}
