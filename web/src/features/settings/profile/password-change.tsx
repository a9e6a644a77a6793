import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { sessionsQuery } from '@/api/settings/sessions'
import { FormError } from '@/components/form-error'
import { LabeledField } from '@/components/input'
import { MIN_PASSWORD_LENGTH, PasswordInput } from '@/components/password-input'
import { SaveRow } from '../save-row'

export function PasswordChange({ me }: { me: Me }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const client = useQueryClient()
  const save = useUpdateProfile()
  const forget = () => {
    setCurrent('')
    setPassword('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const proof = me.hasPassword ? { currentPassword: current } : {}
    const onSuccess = () => {
      forget()
      client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
    save.mutate({ password, ...proof }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
      <FormError error={save.error} paths={['password', 'currentPassword']} />
      <input type="email" autoComplete="username" value={me.user.email} readOnly hidden />
      {me.hasPassword && (
        <LabeledField label={t`Current password`} error={getFieldError(save.error, 'currentPassword')}>
          {attributes => (
            <PasswordInput
              {...attributes}
              autoComplete="current-password"
              required
              value={current}
              onChange={event => setCurrent(event.target.value)}
            />
          )}
        </LabeledField>
      )}
      <LabeledField
        label={t`New password`}
        help={plural(
          { count: MIN_PASSWORD_LENGTH },
          { one: 'At least # character', other: 'At least # characters' },
        )}
        error={getFieldError(save.error, 'password')}
      >
        {attributes => (
          <PasswordInput
            {...attributes}
            autoComplete="new-password"
            minLength={MIN_PASSWORD_LENGTH}
            required
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
        )}
      </LabeledField>
      <SaveRow
        label={me.hasPassword ? t`Change password` : t`Set password`}
        dirty={password !== ''}
        saving={save.isPending}
        saved={save.isSuccess}
        onForget={forget}
      />
    </form>
  )
}
