import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { classes } from '@/lib/classes'
import { IconButton } from './button'
import { Input } from './input'

/** The minimum length that the service accepts. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 200

export type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> & {
  /** Tells password managers whether to fill in a password or to generate one. */
  autoComplete: 'current-password' | 'new-password'
}

/** A password field with a button that shows the password. */
export function PasswordInput({ className, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input
        maxLength={MAX_PASSWORD_LENGTH}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={classes('pe-9 pointer-coarse:pe-12', className)}
      />
      <IconButton
        label={shown ? t`Hide password` : t`Show password`}
        aria-pressed={shown}
        size="small"
        disabled={rest.disabled}
        icon={shown ? <EyeOff /> : <Eye />}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 end-0.5 my-auto"
      />
    </div>
  )
}
