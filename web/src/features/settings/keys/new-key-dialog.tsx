import { type FormEvent, useId, useState } from 'react'
import { faultAt } from '@/api/faults'
import { type Scope, useCreateKey } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled, NativeSelect } from '@/components/input'
import { SecretText } from '../shown-once'

const SCOPES: readonly { id: Scope; label: string; words: string }[] = [
  {
    id: 'reviews:write',
    label: 'Ask for reviews',
    words: 'Requests reviews, replaces their content, deletes them.',
  },
  {
    id: 'reviews:read',
    label: 'Read',
    words: 'Reads reviews, past responses, events, deliveries, agents and people.',
  },
  {
    id: 'manage',
    label: 'Manage',
    words: 'Changes agents, review types, people, groups and keys. Keep it out of agents.',
  },
]

const LIVES = [
  { id: '', label: 'Never' },
  { id: '30', label: 'In 30 days' },
  { id: '90', label: 'In 90 days' },
  { id: '365', label: 'In a year' },
  { id: 'date', label: 'On a day …' },
] as const

const DAY = 86_400_000

/** When a key ends, of what was chosen: never, after some days, or with the end of a day here. */
export function endOf(life: string, date: string, now: number): string | null {
  if (life === '') return null
  if (life === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now + Number(life) * DAY).toISOString()
}

export function NewKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useId()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['reviews:write', 'reviews:read'])
  const [life, setLife] = useState('')
  const [date, setDate] = useState('')
  const create = useCreateKey()
  const close = () => {
    if (create.isSuccess) {
      setName('')
      create.reset()
    }
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name, scopes: [...scopes], expiresAt: endOf(life, date, Date.now()) })
  }
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter(each => each !== scope) : [...scopes, scope])
  if (create.isSuccess)
    return (
      <Dialog
        open={open}
        onClose={close}
        firm
        title={`The key ${create.data.name}`}
        actions={
          <Button kind="primary" onClick={close}>
            Done, I have it
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <SecretText label="API key" text={create.data.apiKey} />
          <p className="text-muted">
            It is shown this once; we keep only a hash of it. Programs send it in the header{' '}
            <code className="font-mono text-sm">x-api-key</code>.
          </p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New API key"
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={scopes.length === 0}
            busy={create.isPending}
          >
            Make the key
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormFault error={create.error} paths={['name', 'scopes', 'expiresAt']} />
        <Labelled label="Name" help="Of the program that uses it." error={faultAt(create.error, 'name')}>
          {ties => (
            <Input
              {...ties}
              required
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </Labelled>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium text-sm">What it may do</legend>
          {SCOPES.map(({ id, label, words }) => (
            <label key={id} className="flex cursor-pointer items-start gap-3">
              <input
                type="checkbox"
                className="mt-0.5 size-4 accent-accent-solid"
                checked={scopes.includes(id)}
                onChange={() => toggle(id)}
              />
              <span>
                {label} <code className="font-mono text-muted text-xs">{id}</code>
                <span className="block text-muted text-sm">{words}</span>
              </span>
            </label>
          ))}
          <p role="status" className="text-bad text-sm">
            {faultAt(create.error, 'scopes') ?? (scopes.length === 0 && 'Choose at least one.')}
          </p>
        </fieldset>
        <div className="grid gap-3 sm:grid-cols-2">
          <Labelled label="Ends" error={faultAt(create.error, 'expiresAt')}>
            {ties => (
              <NativeSelect {...ties} value={life} onChange={event => setLife(event.target.value)}>
                {LIVES.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Labelled>
          {life === 'date' && (
            <Labelled label="Last day">
              {ties => (
                <Input
                  {...ties}
                  type="date"
                  required
                  min={new Date().toISOString().slice(0, 10)}
                  value={date}
                  onChange={event => setDate(event.target.value)}
                />
              )}
            </Labelled>
          )}
        </div>
      </form>
    </Dialog>
  )
}
