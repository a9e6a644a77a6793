import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { localizeName } from '@/api/forms/names'
import type { ReviewFilters } from '@/api/review-filters'
import { useMe } from '@/api/session'
import { allAgentsQuery } from '@/api/settings/agents'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button } from '@/components/button'
import { LabeledField, NativeSelect } from '@/components/input'
import { i18n } from '@/lib/i18n'

type Props = {
  filters: ReviewFilters
  onChange: (filters: ReviewFilters) => void
  onSave: () => void
}

const STATES: Record<string, { label: MessageDescriptor; filters: ReviewFilters }> = {
  open: {
    label: msg({ message: 'Pending', context: 'reviews' }),
    filters: { state: 'pending', retryRequested: false },
  },
  waiting: { label: msg`Waiting on agent`, filters: { state: 'pending', retryRequested: true } },
  decided: { label: msg`Decided`, filters: { state: 'responded' } },
  approved: {
    label: msg({ message: 'Approved', context: 'reviews' }),
    filters: { state: 'responded', response: 'approved' },
  },
  rejected: {
    label: msg({ message: 'Rejected', context: 'reviews' }),
    filters: { state: 'responded', response: 'rejected' },
  },
  any: { label: msg`Any status`, filters: {} },
}

const NO_STATE: ReviewFilters = { state: undefined, response: undefined, retryRequested: undefined }

function getState({ state, response, retryRequested }: ReviewFilters): string {
  if (response) return response
  if (state === 'responded') return 'decided'
  if (state === 'pending') return retryRequested ? 'waiting' : 'open'
  return 'any'
}

/** All filters of the list. */
export default function FilterFields({ filters, onChange, onSave }: Props) {
  const agents = useQuery(allAgentsQuery).data
  const forms = useQuery(activeFormsQuery).data
  const ofAgent = forms?.filter(form => !filters.agentId || form.agentId === filters.agentId)
  const set = (change: ReviewFilters) => onChange({ ...filters, ...change })
  const first = useRef<HTMLSelectElement>(null)
  // Focus the first field, as the menu would have if the fields had been there when it opened.
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <LabeledField label={t`Status`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            ref={first}
            value={getState(filters)}
            onChange={event => set({ ...NO_STATE, ...STATES[event.target.value]?.filters })}
          >
            {Object.entries(STATES).map(([id, { label }]) => (
              <option key={id} value={id}>
                {i18n._(label)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField label={t`Assigned to`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={filters.assignedTo ?? ''}
            onChange={event => set({ assignedTo: event.target.value || undefined })}
          >
            <AssigneeOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField label={t`Agent`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={filters.agentId ?? ''}
            onChange={event => set({ agentId: event.target.value || undefined, formId: undefined })}
          >
            <option value="">{t`Any agent`}</option>
            {agents?.map(agent => (
              <option key={agent.agentId} value={agent.agentId}>
                {agent.name}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField label={t`Review type`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={filters.formId ?? ''}
            onChange={event => set({ formId: event.target.value || undefined })}
          >
            <option value="">{t`Any review type`}</option>
            {ofAgent?.map(form => (
              <option key={form.formId} value={form.formId}>
                {localizeName(form)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField label={t`Sort by`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={filters.order ?? 'newest'}
            onChange={event => set({ order: event.target.value as 'newest' | 'oldest' })}
          >
            <option value="newest">{t`Newest first`}</option>
            <option value="oldest">{t`Oldest first`}</option>
          </NativeSelect>
        )}
      </LabeledField>
      <div className="flex justify-between gap-2 pt-1">
        <Button kind="quiet" onClick={() => onChange({ state: 'pending', retryRequested: false })}>
          {t`Clear filters`}
        </Button>
        <Button onClick={onSave}>{t`Save view…`}</Button>
      </div>
    </>
  )
}

function AssigneeOptions() {
  const me = useMe()
  const people = useQuery(peopleQuery).data
  const groups = useQuery(groupsQuery).data
  return (
    <>
      <option value="">{t`Anyone`}</option>
      <option value="me">{t`Me`}</option>
      <option value="myGroups">{t`My groups`}</option>
      <option value="nobody">{t`Unassigned`}</option>
      {groups && groups.length > 0 && (
        <optgroup label={t`Groups`}>
          {groups.map(group => (
            <option key={group.groupId} value={group.groupId}>
              {group.name}
            </option>
          ))}
        </optgroup>
      )}
      {people && people.length > 1 && (
        <optgroup label={t`Members`}>
          {people
            .filter(person => person.userId !== me.user.userId)
            .map(person => (
              <option key={person.userId} value={person.userId}>
                {person.name || person.email}
              </option>
            ))}
        </optgroup>
      )}
    </>
  )
}
