import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { updateAccount } from '@/api/settings/account'
import { updateProfile } from '@/api/settings/profile'
import { type LinkInfo, signInByLink } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { NewPasswordField } from './new-password-field'

type Props = { info: LinkInfo; token: string; onSignedIn: (me: Me) => void }

/** The email of a workspace's owner until they enter their own. */
const PLACEHOLDER = 'owner@example.com'

export function WelcomeForm({ info, token, onSignedIn }: Props) {
  const [workspace, setWorkspace] = useState(info.accountName)
  const [name, setName] = useState('')
  const [email, setEmail] = useState(info.email === PLACEHOLDER ? '' : info.email)
  const [password, setPassword] = useState('')
  // The link works once: the steps after it are retried without it, with the password that it set.
  const arrived = useRef(false)
  const begin = useMutation({
    mutationFn: async () => {
      if (!arrived.current) {
        await signInByLink(token, password)
        arrived.current = true
      }
      const me = await updateProfile({ name, email, currentPassword: password })
      await changeWorkspaceName(workspace)
      return { ...me, account: { ...me.account, name: workspace.trim() } }
    },
    onSuccess: onSignedIn,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!begin.isPending) begin.mutate()
  }
  return (
    <form onSubmit={submit} method="post" className="flex flex-col gap-4">
      <FormError error={begin.error} paths={['workspace', 'name', 'email', 'password']} />
      <LabeledField
        label={t`Workspace name`}
        help={t`Your team or company`}
        error={getFieldError(begin.error, 'workspace')}
      >
        {attributes => (
          <Input
            {...attributes}
            name="organization"
            autoComplete="organization"
            required
            maxLength={200}
            value={workspace}
            onChange={event => setWorkspace(event.target.value)}
          />
        )}
      </LabeledField>
      <LabeledField label={t`Your name`} error={getFieldError(begin.error, 'name')}>
        {attributes => (
          <Input
            {...attributes}
            name="name"
            autoComplete="name"
            required
            maxLength={200}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        )}
      </LabeledField>
      <LabeledField
        label={t`Email`}
        help={t`You'll use this to sign in. We won't email you now.`}
        error={getFieldError(begin.error, 'email')}
      >
        {attributes => (
          <Input
            {...attributes}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={email}
            onChange={event => setEmail(event.target.value)}
          />
        )}
      </LabeledField>
      <NewPasswordField
        value={password}
        onChange={setPassword}
        error={begin.error}
        disabled={arrived.current}
      />
      <Button type="submit" kind="primary" busy={begin.isPending}>
        {t`Create workspace`}
      </Button>
    </form>
  )
}

/** The account's `name` isn't the person's: its errors are shown at the workspace's field. */
async function changeWorkspaceName(name: string) {
  try {
    await updateAccount({ name })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const errors = error.errors.map(detail => ({
      ...detail,
      path: detail.path.replace(/^name/, 'workspace'),
    }))
    throw new ApiError(error.status, { ...error.problem, errors })
  }
}
