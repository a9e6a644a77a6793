import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { activeFormsQuery } from '@/api/forms/lists'
import type { Agent } from '@/api/settings/agents'
import { i18n } from '@/lib/i18n'
import { FilterBar, FilterSelect, TimeFilter } from '../filters'
import type { SettingsSearch } from '../search-params'
import { STATUSES, TARGETS } from './labels'

const EVENTS = ['review.completed', 'trigger.submitted', 'review.retry_requested', 'session.human_message']
const FILTERS = ['status', 'agent', 'form', 'target', 'event', 'within', 'since', 'until'] as const
const NO_FILTERS = Object.fromEntries(FILTERS.map(name => [name, undefined])) as SettingsSearch

export const isFiltered = (search: SettingsSearch): boolean =>
  FILTERS.some(name => search[name] !== undefined)

export function DeliveryFilterBar({
  search,
  onChange,
  agents,
}: {
  search: SettingsSearch
  onChange: (part: SettingsSearch) => void
  agents: readonly Agent[]
}) {
  const forms = useQuery(activeFormsQuery)
  const shownForms = forms.data?.filter(form => !search.agent || form.agentId === search.agent) ?? []
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_FILTERS) : undefined}>
      <FilterSelect
        label={t`Status`}
        any={t`Any status`}
        value={search.status}
        onChange={status => onChange({ status })}
      >
        {Object.entries(STATUSES).map(([id, { label }]) => (
          <option key={id} value={id}>
            {i18n._(label)}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label={t`Agent`}
        any={t`Any agent`}
        value={search.agent}
        onChange={agent => onChange({ agent, form: undefined })}
      >
        {agents.map(agent => (
          <option key={agent.agentId} value={agent.agentId}>
            {agent.name}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label={t`Review type`}
        any={t`Any review type`}
        value={search.form}
        onChange={form => onChange({ form })}
      >
        {shownForms.map(form => (
          <option key={form.formId} value={form.formId}>
            {form.name}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label={t`Target`}
        any={t`Any target`}
        value={search.target}
        onChange={target => onChange({ target })}
      >
        {Object.entries(TARGETS).map(([id, label]) => (
          <option key={id} value={id}>
            {i18n._(label)}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label={t`Event`}
        any={t`Any event`}
        value={search.event}
        onChange={event => onChange({ event })}
      >
        {EVENTS.map(event => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </FilterSelect>
      <TimeFilter search={search} onChange={onChange} />
    </FilterBar>
  )
}
