import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Me } from '@/api/session'
import { type LinkInfo, signInByLink } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { HiddenUsername } from './hidden-username'
import { NewPasswordField } from './new-password-field'

type Props = { info: LinkInfo; token: string; onSignedIn: (me: Me) => void }

export function ResetForm({ info, token, onSignedIn }: Props) {
  const [password, setPassword] = useState('')
  const reset = useMutation({ mutationFn: () => signInByLink(token, password), onSuccess: onSignedIn })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!reset.isPending) reset.mutate()
  }
  return (
    <form onSubmit={submit} method="post" className="flex flex-col gap-4">
      <FormError error={reset.error} paths={['password']} />
      <HiddenUsername email={info.email} />
      <NewPasswordField label={t`New password`} value={password} onChange={setPassword} error={reset.error} />
      <p className="text-muted text-sm">{t`You'll be signed in here and signed out everywhere else.`}</p>
      <Button type="submit" kind="primary" busy={reset.isPending}>
        {t`Save and sign in`}
      </Button>
    </form>
  )
}
