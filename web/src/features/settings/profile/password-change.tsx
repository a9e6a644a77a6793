import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { sessionsQuery } from '@/api/settings/sessions'
import { MIN_PASSWORD_LENGTH, PasswordInput } from '@/components/password-input'
import { Field, Form, SaveRow, useForm } from '../form'

export function PasswordChange({ me }: { me: Me }) {
  const client = useQueryClient()
  const form = useForm({
    saved: { currentPassword: '', password: '' },
    save: useUpdateProfile(),
    toBody: ({ currentPassword, password }) => ({ password, ...(me.hasPassword && { currentPassword }) }),
    onSaved: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return (
    <Form form={form} className="flex max-w-md flex-col gap-3">
      <input type="email" autoComplete="username" value={me.user.email} readOnly hidden />
      {me.hasPassword && (
        <Field form={form} name="currentPassword" label={t`Current password`}>
          {attributes => <PasswordInput {...attributes} autoComplete="current-password" required />}
        </Field>
      )}
      <Field
        form={form}
        name="password"
        label={t`New password`}
        help={plural(
          { count: MIN_PASSWORD_LENGTH },
          { one: 'At least # character', other: 'At least # characters' },
        )}
      >
        {attributes => (
          <PasswordInput
            {...attributes}
            autoComplete="new-password"
            minLength={MIN_PASSWORD_LENGTH}
            required
          />
        )}
      </Field>
      <SaveRow form={form} label={me.hasPassword ? t`Change password` : t`Set password`} />
    </Form>
  )
}
