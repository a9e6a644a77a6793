import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Me } from '@/api/session'
import { signIn } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Input, LabeledField } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { Notice } from '@/components/status'
import { getSignInError } from './sign-in-error'

export function PasswordForm({
  onSignedIn,
  onForgotten,
}: {
  onSignedIn: (me: Me) => void
  onForgotten: () => void
}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const passwordField = useRef<HTMLInputElement>(null)
  const attempt = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: onSignedIn,
    onError: () => passwordField.current?.select(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!attempt.isPending) attempt.mutate()
  }
  return (
    <form onSubmit={submit} method="post" className="flex flex-col gap-4">
      {attempt.error && (
        <div role="alert">
          <Notice tone="bad" icon={<CircleAlert />}>
            {getSignInError(attempt.error)}
          </Notice>
        </div>
      )}
      <LabeledField label={t`Email`}>
        {attributes => (
          <Input
            {...attributes}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            value={email}
            onChange={event => setEmail(event.target.value)}
          />
        )}
      </LabeledField>
      <LabeledField label={t`Password`}>
        {attributes => (
          <PasswordInput
            {...attributes}
            ref={passwordField}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
        )}
      </LabeledField>
      <Button type="submit" kind="primary" busy={attempt.isPending}>
        {attempt.isPending ? t`Signing in…` : t`Sign in`}
      </Button>
      <button
        type="button"
        onClick={onForgotten}
        className="self-start py-1 text-accent underline-offset-2 hover:underline"
      >
        {t`Forgot your password?`}
      </button>
    </form>
  )
}
