import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '@/api/settings/keys'
import { peopleQuery } from '@/api/settings/people'
import { Input, LabeledField } from '@/components/input'
import { i18n } from '@/lib/i18n'
import { FilterBar, FilterSelect, TimeFilter } from '../filters'
import type { SettingsSearch } from '../search-params'
import { ACTION_GROUPS, getActionLabel, isKnownAction } from './actions'

const KINDS = [
  { id: 'user', label: msg`Any member` },
  { id: 'key', label: msg`Any API key` },
  { id: 'external', label: msg`External reviewers` },
  { id: 'system', label: msg({ message: 'System', context: 'actor in the audit log' }) },
] as const
const NO_FILTERS: SettingsSearch = {
  actor: undefined,
  kind: undefined,
  action: undefined,
  object: undefined,
  within: undefined,
  since: undefined,
  until: undefined,
}

type Props = { search: SettingsSearch; onChange: (part: SettingsSearch) => void }

export function AuditFilterBar({ search, onChange }: Props) {
  const filtered = (Object.keys(NO_FILTERS) as (keyof SettingsSearch)[]).some(
    name => search[name] !== undefined,
  )
  return (
    <FilterBar onClear={filtered ? () => onChange(NO_FILTERS) : undefined}>
      <ActorFilter search={search} onChange={onChange} />
      <FilterSelect
        label={t`Action`}
        any={t`Any action`}
        value={search.action}
        onChange={action => onChange({ action })}
      >
        {ACTION_GROUPS.map(({ label, actions }) => (
          <optgroup key={label.id} label={i18n._(label)}>
            {Object.entries(actions).map(([action, words]) => (
              <option key={action} value={action}>
                {i18n._(words)}
              </option>
            ))}
          </optgroup>
        ))}
        {search.action && !isKnownAction(search.action) && (
          <option value={search.action}>{getActionLabel(search.action)}</option>
        )}
      </FilterSelect>
      <ObjectFilter
        key={search.object ?? ''}
        value={search.object}
        onChange={object => onChange({ object })}
      />
      <TimeFilter search={search} onChange={onChange} />
    </FilterBar>
  )
}

/** A member, a key, or a type of actor. */
function ActorFilter({ search, onChange }: Props) {
  const people = useQuery(peopleQuery)
  const keys = useQuery(keysQuery)
  const known = [
    ...(people.data ?? []).map(person => person.userId),
    ...(keys.data ?? []).map(key => key.keyId),
  ]
  const value = search.actor ?? (search.kind && `kind:${search.kind}`)
  const choose = (chosen: string | undefined) =>
    chosen?.startsWith('kind:')
      ? onChange({ actor: undefined, kind: chosen.slice('kind:'.length) })
      : onChange({ actor: chosen, kind: undefined })
  return (
    <FilterSelect label={t`Actor`} any={t`Anyone`} value={value} onChange={choose}>
      <optgroup label={t`Actor type`}>
        {KINDS.map(({ id, label }) => (
          <option key={id} value={`kind:${id}`}>
            {i18n._(label)}
          </option>
        ))}
      </optgroup>
      <optgroup label={t`Members`}>
        {people.data?.map(person => (
          <option key={person.userId} value={person.userId}>
            {person.name}
          </option>
        ))}
      </optgroup>
      <optgroup label={t`API keys`}>
        {keys.data?.map(key => (
          <option key={key.keyId} value={key.keyId}>
            {t`${{ name: key.name }} (${{ hint: key.hint }})`}
          </option>
        ))}
      </optgroup>
      {search.actor && !known.includes(search.actor) && <option value={search.actor}>{search.actor}</option>}
    </FilterSelect>
  )
}

/** Applied on Enter or when the field loses focus, since an ID is usually pasted. */
function ObjectFilter({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const [text, setText] = useState(value ?? '')
  const commit = () => {
    if (text.trim() !== (value ?? '')) onChange(text.trim() || undefined)
  }
  return (
    <LabeledField label={t`Object ID`} className="min-w-44 max-md:min-w-0">
      {attributes => (
        <Input
          {...attributes}
          type="search"
          placeholder="rev_… usr_… agt_…"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={event => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={event => event.key === 'Enter' && commit()}
          className={value ? 'border-accent' : undefined}
        />
      )}
    </LabeledField>
  )
}
