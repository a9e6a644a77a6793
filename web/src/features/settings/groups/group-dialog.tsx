import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Group, useSaveGroup } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { OutOfOfficeBadge } from '@/components/out-of-office-badge'
import { formatNumber } from '@/lib/i18n'

/** Creates a group, or edits the given one: its name and members. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const form = useId()
  const [name, setName] = useState(group?.name ?? '')
  const [members, setMembers] = useState<ReadonlySet<string>>(
    () => new Set(group?.members.map(member => member.userId)),
  )
  const save = useSaveGroup(group?.groupId ?? null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ name, members: [...members] }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={group ? t`Edit group` : t`New group`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} busy={save.isPending}>
            {group ? t`Save` : t`Create group`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={save.error} paths={['name', 'members']} />
        <LabeledField label={t`Name`} error={getFieldError(save.error, 'name')}>
          {attributes => (
            <Input
              {...attributes}
              required
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </LabeledField>
        <Members chosen={members} onChange={setMembers} error={getFieldError(save.error, 'members')} />
      </form>
    </Dialog>
  )
}

function Members({
  chosen,
  onChange,
  error,
}: {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  error: string | null
}) {
  const people = useQuery(peopleQuery)
  const [words, setWords] = useState('')
  // Deactivated members can be removed from the group, but not added.
  const possible = people.data?.filter(person => !person.disabled || chosen.has(person.userId)) ?? []
  const shown = possible.filter(person =>
    `${person.name} ${person.email}`.toLowerCase().includes(words.trim().toLowerCase()),
  )
  const toggle = (userId: string) => {
    const next = new Set(chosen)
    if (!next.delete(userId)) next.add(userId)
    onChange(next)
  }
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-medium text-sm">{t`Members (${{ count: formatNumber(chosen.size) }})`}</legend>
      {possible.length > 8 && (
        <Input
          type="search"
          aria-label={t`Search members`}
          placeholder={t`Search members`}
          value={words}
          onChange={event => setWords(event.target.value)}
        />
      )}
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
      <ul className="max-h-72 overflow-y-auto rounded-md border border-line">
        {shown.map(person => (
          <li key={person.userId} className="border-line border-b last:border-b-0">
            <label className="flex min-h-9 cursor-pointer items-center gap-3 px-3 py-1 hover:bg-sunken pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent-solid"
                checked={chosen.has(person.userId)}
                onChange={() => toggle(person.userId)}
              />
              <Avatar name={person.name} />
              <span className="min-w-0 flex-1 truncate">
                <bdi>{person.name}</bdi> <span className="text-muted text-sm">{person.email}</span>
                {person.disabled && <span className="text-muted text-sm"> {t`(deactivated)`}</span>}
              </span>
              {!person.disabled && <OutOfOfficeBadge absence={person.absence} />}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
