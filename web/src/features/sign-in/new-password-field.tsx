import { t } from '@lingui/core/macro'
import { getFieldError } from '@/api/errors'
import { Labelled } from '@/components/input'
import { PasswordInput, SHORTEST_PASSWORD } from '@/components/password-input'
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
    <Labelled
      label={label}
      help={t`At least ${{ count: formatNumber(SHORTEST_PASSWORD) }} characters`}
      error={getFieldError(error, 'password')}
    >
      {ties => (
        <PasswordInput
          {...ties}
          name="new-password"
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          required
          disabled={disabled}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}
