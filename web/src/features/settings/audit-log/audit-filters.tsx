import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '@/api/settings/keys'
import { peopleQuery } from '@/api/settings/people'
import { Input, Labelled } from '@/components/input'
import { FilterBar, FilterSelect, TimeFilter } from '../filters'
import type { SettingsSearch } from '../search-params'
import { ACTIONS, actionWords } from './actions'

const KINDS = [
  { id: 'user', label: 'Anybody signed in' },
  { id: 'key', label: 'Any API key' },
  { id: 'external', label: 'External reviewers' },
  { id: 'system', label: 'The service itself' },
] as const
const NOTHING: SettingsSearch = {
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
  const filtered = (Object.keys(NOTHING) as (keyof SettingsSearch)[]).some(name => search[name] !== undefined)
  return (
    <FilterBar onClear={filtered ? () => onChange(NOTHING) : undefined}>
      <WhoFilter search={search} onChange={onChange} />
      <FilterSelect
        label="Action"
        any="Any action"
        value={search.action}
        onChange={action => onChange({ action })}
      >
        {Object.entries(ACTIONS).map(([about, actions]) => (
          <optgroup key={about} label={about}>
            {actions.map(action => (
              <option key={action} value={action}>
                {actionWords(action)}
              </option>
            ))}
          </optgroup>
        ))}
        {search.action && !Object.values(ACTIONS).flat().includes(search.action) && (
          <option value={search.action}>{search.action}</option>
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

/** A person, a key, or a kind of them. */
function WhoFilter({ search, onChange }: Props) {
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
    <FilterSelect label="Who" any="Anybody" value={value} onChange={choose}>
      <optgroup label="Kind">
        {KINDS.map(({ id, label }) => (
          <option key={id} value={`kind:${id}`}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label="People">
        {people.data?.map(person => (
          <option key={person.userId} value={person.userId}>
            {person.name}
          </option>
        ))}
      </optgroup>
      <optgroup label="API keys">
        {keys.data?.map(key => (
          <option key={key.keyId} value={key.keyId}>
            {key.name} ({key.hint})
          </option>
        ))}
      </optgroup>
      {search.actor && !known.includes(search.actor) && <option value={search.actor}>{search.actor}</option>}
    </FilterSelect>
  )
}

/** An ID is pasted: asked for when it is whole. */
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
    <Labelled label="Object's ID" className="min-w-44 max-md:min-w-0">
      {ties => (
        <Input
          {...ties}
          type="search"
          placeholder="rev_… usr_… agt_…"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={event => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={event => event.key === 'Enter' && commit()}
          className={value ? 'border-accent!' : undefined}
        />
      )}
    </Labelled>
  )
}
