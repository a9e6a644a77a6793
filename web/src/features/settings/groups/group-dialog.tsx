import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Group, useSaveGroup } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Input } from '@/components/input'
import { OutOfOfficeBadge } from '@/components/out-of-office-badge'
import { formatNumber } from '@/lib/i18n'
import { matchesSearch } from '@/lib/matches-search'
import { Field, Form, useForm } from '../form'

/** Creates a group, or edits the given one: its name and members. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const id = useId()
  const form = useForm({
    saved: { name: group?.name ?? '', members: group?.members.map(member => member.userId) ?? [] },
    save: useSaveGroup(group?.groupId ?? null),
    toBody: value => value,
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={group ? t`Edit group` : t`New group`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} busy={form.saving}>
            {group ? t`Save` : t`Create group`}
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <Field form={form} name="name" label={t`Name`}>
          {attributes => <Input {...attributes} required maxLength={200} autoComplete="off" />}
        </Field>
        <Members
          chosen={new Set(form.value.members)}
          onChange={members => form.change({ members: [...members] })}
          error={getFieldError(form.error, 'members')}
        />
      </Form>
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
  const shown = possible.filter(person => matchesSearch(`${person.name} ${person.email}`, words))
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
