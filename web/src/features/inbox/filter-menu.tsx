import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { ReviewFilters } from '@/api/review-filters'
import { useMe } from '@/api/session'
import { allAgentsQuery, allFormsQuery } from '@/api/settings/agents'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button, IconButton } from '@/components/button'
import { Labelled, NativeSelect } from '@/components/input'

type Props = {
  filters: ReviewFilters
  onChange: (filters: ReviewFilters) => void
  onSave: () => void
}

const STATES: Record<string, { label: string; filters: ReviewFilters }> = {
  open: { label: 'Open', filters: { state: 'pending', retryRequested: false } },
  waiting: { label: 'Waiting for agent', filters: { state: 'pending', retryRequested: true } },
  decided: { label: 'Decided', filters: { state: 'responded' } },
  approved: { label: 'Approved', filters: { state: 'responded', response: 'approved' } },
  rejected: { label: 'Rejected', filters: { state: 'responded', response: 'rejected' } },
  any: { label: 'Any', filters: {} },
}

const NO_STATE: ReviewFilters = { state: undefined, response: undefined, retryRequested: undefined }

function stateOf({ state, response, retryRequested }: ReviewFilters): string {
  if (response) return response
  if (state === 'responded') return 'decided'
  if (state === 'pending') return retryRequested ? 'waiting' : 'open'
  return 'any'
}

/** Everything that the list can be narrowed by. */
export function FilterMenu({ filters, onChange, onSave }: Props) {
  const [isOpen, setOpen] = useState(false)
  const agents = useQuery(allAgentsQuery).data
  const forms = useQuery(allFormsQuery).data
  const ofAgent = forms?.filter(form => !filters.agentId || form.agentId === filters.agentId)
  const set = (change: ReviewFilters) => onChange({ ...filters, ...change })
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label="Filter" icon={<ListFilter size={16} />} className="max-md:size-11" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Filter"
          className="z-40 flex w-72 flex-col gap-3 rounded-lg bg-raised p-4 shadow-float"
        >
          <Labelled label="State">
            {ties => (
              <NativeSelect
                {...ties}
                value={stateOf(filters)}
                onChange={event => set({ ...NO_STATE, ...STATES[event.target.value]?.filters })}
              >
                {Object.entries(STATES).map(([id, { label }]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Labelled>
          <Labelled label="Assigned to">
            {ties => (
              <NativeSelect
                {...ties}
                value={filters.assignedTo ?? ''}
                onChange={event => set({ assignedTo: event.target.value || undefined })}
              >
                <AssigneeOptions />
              </NativeSelect>
            )}
          </Labelled>
          <Labelled label="Agent">
            {ties => (
              <NativeSelect
                {...ties}
                value={filters.agentId ?? ''}
                onChange={event => set({ agentId: event.target.value || undefined, formId: undefined })}
              >
                <option value="">Any</option>
                {agents?.map(agent => (
                  <option key={agent.agentId} value={agent.agentId}>
                    {agent.name}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Labelled>
          <Labelled label="Review type">
            {ties => (
              <NativeSelect
                {...ties}
                value={filters.formId ?? ''}
                onChange={event => set({ formId: event.target.value || undefined })}
              >
                <option value="">Any</option>
                {ofAgent?.map(form => (
                  <option key={form.formId} value={form.formId}>
                    {form.name}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Labelled>
          <Labelled label="Order">
            {ties => (
              <NativeSelect
                {...ties}
                value={filters.order ?? 'newest'}
                onChange={event => set({ order: event.target.value as 'newest' | 'oldest' })}
              >
                <option value="newest">Newest first</option>
                <option value="oldest">Oldest first</option>
              </NativeSelect>
            )}
          </Labelled>
          <div className="flex justify-between gap-2 pt-1">
            <Button
              kind="quiet"
              className="max-md:h-11"
              onClick={() => onChange({ state: 'pending', retryRequested: false })}
            >
              Clear
            </Button>
            <Button
              className="max-md:h-11"
              onClick={() => {
                setOpen(false)
                onSave()
              }}
            >
              Save as view…
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function AssigneeOptions() {
  const me = useMe()
  const people = useQuery(peopleQuery).data
  const groups = useQuery(groupsQuery).data
  return (
    <>
      <option value="">Anyone</option>
      <option value="me">Me</option>
      <option value="myGroups">My groups</option>
      <option value="nobody">Nobody</option>
      {groups && groups.length > 0 && (
        <optgroup label="Groups">
          {groups.map(group => (
            <option key={group.groupId} value={group.groupId}>
              {group.name}
            </option>
          ))}
        </optgroup>
      )}
      {people && people.length > 1 && (
        <optgroup label="People">
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
