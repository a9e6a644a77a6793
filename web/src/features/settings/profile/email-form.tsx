import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { Notice } from '@/components/status'
import { SaveRow } from '../save-row'
import { useDraft } from '../use-draft'
import { EmailConfirmation } from './email-confirmation'

/** A new email needs the password: a browser left open must not be enough to take over an account. */
export function EmailForm({ me }: { me: Me }) {
  const draft = useDraft('profile.email', { email: me.user.email })
  const [password, setPassword] = useState('')
  const save = useUpdateProfile()
  const forget = () => {
    draft.forget()
    setPassword('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const proof = me.hasPassword ? { currentPassword: password } : {}
    const sent = draft.value
    const onSuccess = () => {
      draft.forgetSaved(sent)
      setPassword('')
    }
    save.mutate({ ...sent, ...proof }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <EmailConfirmation />
      {me.user.pendingEmail && <PendingEmail me={me} pending={me.user.pendingEmail} />}
      <FormError error={save.error} paths={['email', 'currentPassword']} />
      <LabeledField
        label={t`Email`}
        help={t`Used to sign in and to assign reviews to you. If you change it, we send a confirmation link to the new address.`}
        error={getFieldError(save.error, 'email')}
      >
        {attributes => (
          <Input
            {...attributes}
            type="email"
            autoComplete="username"
            required
            value={draft.value.email}
            onChange={event => draft.change({ email: event.target.value })}
          />
        )}
      </LabeledField>
      {draft.dirty && me.hasPassword && (
        <LabeledField
          label={t`Current password`}
          help={t`Confirm it's you.`}
          error={getFieldError(save.error, 'currentPassword')}
        >
          {attributes => (
            <PasswordInput
              {...attributes}
              autoComplete="current-password"
              required
              value={password}
              onChange={event => setPassword(event.target.value)}
            />
          )}
        </LabeledField>
      )}
      <SaveRow
        label={t`Change email`}
        dirty={draft.dirty}
        saving={save.isPending}
        saved={save.isSuccess && !me.user.pendingEmail}
        onForget={forget}
      />
    </form>
  )
}

function PendingEmail({ me, pending }: { me: Me; pending: string }) {
  const cancel = useUpdateProfile()
  const newEmail = <strong className="font-semibold [overflow-wrap:anywhere]">{pending}</strong>
  const currentEmail = <bdi>{me.user.email}</bdi>
  return (
    <>
      <FormError error={cancel.error} />
      <Notice
        actions={
          <Button
            size="small"
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ email: me.user.email })}
          >
            {t`Cancel change`}
          </Button>
        }
      >
        <Trans>
          Open the link we sent to {newEmail} to confirm it. Until then, your email stays {currentEmail}.
        </Trans>
      </Notice>
    </>
  )
}
