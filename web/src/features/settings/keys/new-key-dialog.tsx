import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { getFieldError } from '@/api/errors'
import { type Scope, useCreateKey } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Input, NativeSelect } from '@/components/input'
import { i18n } from '@/lib/i18n'
import { Field, Form, useForm } from '../form'
import { SecretDialog } from '../secret-dialog'

const SCOPES: readonly { id: Scope; label: MessageDescriptor; words: MessageDescriptor }[] = [
  {
    id: 'reviews:write',
    label: msg`Request reviews`,
    words: msg`Request, update, and delete reviews.`,
  },
  {
    id: 'reviews:read',
    label: msg({ message: 'Read', context: 'scope of an API key' }),
    words: msg`Read reviews, past responses, events, deliveries, agents, and members.`,
  },
  {
    id: 'manage',
    label: msg({ message: 'Manage', context: 'scope of an API key' }),
    words: msg`Change agents, review types, members, groups, and keys. Don't give this scope to agents.`,
  },
]

const DEFAULT_SCOPES: readonly Scope[] = ['reviews:write', 'reviews:read']

const getLifetimes = () => [
  { id: '', label: t({ message: 'Never', context: 'when an API key expires' }) },
  ...[30, 90].map(days => ({
    id: String(days),
    label: plural(days, { one: 'In # day', other: 'In # days' }),
  })),
  { id: '365', label: t`In 1 year` },
  { id: 'date', label: t`Custom date…` },
]

const DAY = 86_400_000

/** When a key expires: never, after some days, or at the end of the chosen day in this time zone. */
export function getExpiration(life: string, date: string, now: number): string | null {
  if (life === '') return null
  if (life === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now + Number(life) * DAY).toISOString()
}

export function NewKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId()
  const create = useCreateKey()
  const form = useForm({
    saved: { name: '', scopes: DEFAULT_SCOPES, life: '', date: '' },
    save: create,
    toBody: ({ name, scopes, life, date }) => ({
      name,
      scopes: [...scopes],
      expiresAt: getExpiration(life, date, Date.now()),
    }),
  })
  const { scopes } = form.value
  const close = () => {
    if (create.isSuccess) create.reset()
    onClose()
  }
  const toggle = (scope: Scope) =>
    form.change({
      scopes: scopes.includes(scope) ? scopes.filter(each => each !== scope) : [...scopes, scope],
    })
  if (create.isSuccess)
    return (
      <SecretDialog
        title={t`API key created: ${{ name: create.data.name }}`}
        label={t`API key`}
        text={open ? create.data.apiKey : null}
        onClose={close}
      >
        <Trans>
          Copy it now. You won't be able to see it again. Send it in the{' '}
          <code className="font-mono text-sm">x-api-key</code> header.
        </Trans>
      </SecretDialog>
    )
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Create API key`}
      actions={
        <>
          <Button onClick={close}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} disabled={scopes.length === 0} busy={form.saving}>
            {t`Create key`}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} paths={['expiresAt']}>
        <Field form={form} name="name" label={t`Name`} help={t`Name the key after the program that uses it.`}>
          {attributes => <Input {...attributes} required maxLength={200} autoComplete="off" />}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium text-sm">{t`Scopes`}</legend>
          {SCOPES.map(({ id, label, words }) => (
            <label key={id} className="flex cursor-pointer items-start gap-3">
              <input
                type="checkbox"
                className="mt-0.5 size-4 accent-accent-solid"
                checked={scopes.includes(id)}
                onChange={() => toggle(id)}
              />
              <span>
                {i18n._(label)} <code className="font-mono text-muted text-xs">{id}</code>
                <span className="block text-muted text-sm">{i18n._(words)}</span>
              </span>
            </label>
          ))}
          <p role="status" className="text-bad text-sm">
            {getFieldError(form.error, 'scopes') ?? (scopes.length === 0 && t`Select at least one scope.`)}
          </p>
        </fieldset>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field form={form} name="life" path="expiresAt" label={t`Expires`}>
            {attributes => (
              <NativeSelect {...attributes}>
                {getLifetimes().map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
          {form.value.life === 'date' && (
            <Field form={form} name="date" label={t`Expiration date`}>
              {attributes => (
                <Input {...attributes} type="date" required min={new Date().toISOString().slice(0, 10)} />
              )}
            </Field>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
