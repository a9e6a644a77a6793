import { t } from '@lingui/core/macro'
import { getFieldError } from '@/api/errors'
import { LabeledField } from '@/components/input'
import { MIN_PASSWORD_LENGTH, PasswordInput } from '@/components/password-input'
import { formatNumber } from '@/lib/i18n'

export function NewPasswordField({
  label = t`Password`,
  value,
  onChange,
  error,
  disabled,
}: {
  label?: string
  value: string
  onChange: (value: string) => void
  error: unknown
  disabled?: boolean
}) {
  return (
    <LabeledField
      label={label}
      help={t`At least ${{ count: formatNumber(MIN_PASSWORD_LENGTH) }} characters`}
      error={getFieldError(error, 'password')}
    >
      {attributes => (
        <PasswordInput
          {...attributes}
          name="new-password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
          disabled={disabled}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </LabeledField>
  )
}
