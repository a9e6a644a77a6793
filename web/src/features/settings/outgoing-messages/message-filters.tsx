import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { activeFormsQuery } from '@/api/forms/lists'
import { useMay } from '@/api/session'
import type { Agent } from '@/api/settings/agents'
import { Segments } from '@/components/segments'
import { i18n } from '@/lib/i18n'
import { FilterBar, FilterSelect, TimeFilter } from '../filters'
import type { SettingsSearch } from '../search-params'
import { CHANNELS, STATES, TARGETS } from './labels'

const EVENTS = ['review.completed', 'trigger.submitted', 'review.retry_requested', 'session.human_message']
const WEBHOOK_FILTERS = ['agent', 'form', 'target', 'event'] as const
const FILTERS = ['status', 'within', 'since', 'until', ...WEBHOOK_FILTERS] as const
const without = (names: readonly (keyof SettingsSearch)[]): SettingsSearch =>
  Object.fromEntries(names.map(name => [name, undefined]))

export const isFiltered = (search: SettingsSearch): boolean =>
  FILTERS.some(name => search[name] !== undefined)

export function MessageFilterBar({
  search,
  onChange,
  agents,
}: {
  search: SettingsSearch
  onChange: (part: SettingsSearch) => void
  agents: readonly Agent[]
}) {
  const mayAdminister = useMay('administer')
  const isForWebhooks = search.channel === 'webhook' || WEBHOOK_FILTERS.some(name => search[name])
  return (
    <>
      <Segments
        label={t`Channel`}
        options={[
          { id: '', label: t({ message: 'All', context: 'outgoing messages' }) },
          ...Object.entries(CHANNELS)
            .filter(([, { isForAdmins }]) => mayAdminister || !isForAdmins)
            .map(([id, { label }]) => ({ id, label: i18n._(label) })),
        ]}
        value={search.channel ?? (isForWebhooks ? 'webhook' : '')}
        onChange={channel => onChange({ ...without(WEBHOOK_FILTERS), channel })}
      />
      <FilterBar onClear={isFiltered(search) ? () => onChange(without(FILTERS)) : undefined}>
        <FilterSelect
          label={t`Status`}
          any={t`Any status`}
          value={search.status}
          onChange={status => onChange({ status })}
        >
          {Object.entries(STATES).map(([id, { label }]) => (
            <option key={id} value={id}>
              {i18n._(label)}
            </option>
          ))}
        </FilterSelect>
        {isForWebhooks && <WebhookFilters search={search} onChange={onChange} agents={agents} />}
        <TimeFilter search={search} onChange={onChange} />
      </FilterBar>
    </>
  )
}

function WebhookFilters({ search, onChange, agents }: Parameters<typeof MessageFilterBar>[0]) {
  const forms = useQuery(activeFormsQuery)
  const shownForms = forms.data?.filter(form => !search.agent || form.agentId === search.agent) ?? []
  return (
    <>
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
    </>
  )
}
