import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { updateProfile } from '@/api/settings/profile'
import { type LinkInfo, signInByLink } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { HiddenUsername } from './hidden-username'
import { NewPasswordField } from './new-password-field'

type Props = { info: LinkInfo; token: string; onSignedIn: (me: Me) => void }

export function InvitationForm({ info, token, onSignedIn }: Props) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  // The link works once: the steps after it are retried without it.
  const arrived = useRef<Me>(null)
  const join = useMutation({
    mutationFn: async () => {
      arrived.current ??= await signInByLink(token, password)
      return name.trim() ? updateProfile({ name }) : arrived.current
    },
    onSuccess: onSignedIn,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!join.isPending) join.mutate()
  }
  return (
    <form onSubmit={submit} method="post" className="flex flex-col gap-4">
      <FormError error={join.error} paths={['name', 'password']} />
      <HiddenUsername email={info.email} />
      <LabeledField
        label={t`Your name`}
        help={t`Shown to your team. Leave empty to keep the name from your invite.`}
        error={getFieldError(join.error, 'name')}
      >
        {attributes => (
          <Input
            {...attributes}
            name="name"
            autoComplete="name"
            maxLength={200}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        )}
      </LabeledField>
      <NewPasswordField
        value={password}
        onChange={setPassword}
        error={join.error}
        disabled={arrived.current !== null}
      />
      <Button type="submit" kind="primary" busy={join.isPending}>
        {info.accountName.length > 30 ? t`Join workspace` : t`Join ${{ workspaceName: info.accountName }}`}
      </Button>
    </form>
  )
}
