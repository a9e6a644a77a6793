import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { Notice } from '@/components/status'
import { Field, Form, SaveRow, useForm } from '../form'
import { EmailConfirmation } from './email-confirmation'

/** A new email needs the password: a browser left open must not be enough to take over an account. */
export function EmailForm({ me }: { me: Me }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const form = useForm({
    storedAs: 'profile.email',
    saved: { email: me.user.email },
    save: useUpdateProfile(),
    toBody: value => ({ ...value, ...(me.hasPassword && { currentPassword }) }),
    onSaved: () => setCurrentPassword(''),
  })
  const forget = () => {
    form.forget()
    setCurrentPassword('')
  }
  return (
    <Form form={form} paths={['currentPassword']} className="flex flex-col gap-3">
      <EmailConfirmation />
      {me.user.pendingEmail && <PendingEmail me={me} pending={me.user.pendingEmail} />}
      <Field
        form={form}
        name="email"
        label={t`Email`}
        help={t`Used to sign in and to assign reviews to you. If you change it, we send a confirmation link to the new address.`}
      >
        {attributes => <Input {...attributes} type="email" autoComplete="username" required />}
      </Field>
      {form.dirty && me.hasPassword && (
        <LabeledField
          label={t`Current password`}
          help={t`Confirm it's you.`}
          error={getFieldError(form.error, 'currentPassword')}
        >
          {attributes => (
            <PasswordInput
              {...attributes}
              autoComplete="current-password"
              required
              value={currentPassword}
              onChange={event => setCurrentPassword(event.target.value)}
            />
          )}
        </LabeledField>
      )}
      <SaveRow
        form={form}
        label={t`Change email`}
        saved={form.saved && !me.user.pendingEmail}
        onForget={forget}
      />
    </Form>
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
          To confirm your new email, open the link we sent to {newEmail}. Until then, your email is still{' '}
          {currentEmail}.
        </Trans>
      </Notice>
    </>
  )
}
