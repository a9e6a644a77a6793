import { X } from 'lucide-react'
import { useAgentNames, useAssigneeName, useFormNames } from './names'
import type { InboxSearch, ViewName } from './search-params'
import { VIEW } from './views'

type Chip = { id: string; label: string; without: InboxSearch }

/** What narrows the list beside what its title says; each can be taken away. */
export function useFilterChips(view: ViewName, search: InboxSearch): Chip[] {
  const assignee = useAssigneeName(search.assigned)
  const agents = useAgentNames()
  const forms = useFormNames()
  const chips: Chip[] = []
  const add = (id: string, label: string, gone: InboxSearch) =>
    chips.push({ id, label, without: { ...search, saved: undefined, ...gone } })
  const isTitle = search.saved === undefined
  if (search.agent && (!isTitle || search.form))
    add('agent', agents.get(search.agent) ?? search.agent, { agent: undefined, form: undefined })
  if (search.form && !isTitle) add('form', forms.get(search.form) ?? search.form, { form: undefined })
  const hasOtherTitle = !isTitle || search.agent || search.form
  if (hasOtherTitle && view !== 'all' && !search.response) add('view', VIEW[view].name, { view: 'all' })
  if (search.response)
    add('response', search.response === 'approved' ? 'Approved' : 'Rejected', {
      response: undefined,
      view: 'decided',
    })
  if (assignee) add('assigned', `Assigned to ${assignee}`, { assigned: undefined })
  if (search.session) add('session', `Session ${search.session}`, { session: undefined })
  if (search.run) add('run', `Run ${search.run}`, { run: undefined })
  return chips
}

export function FilterChips({ chips, onChange }: { chips: Chip[]; onChange: (search: InboxSearch) => void }) {
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-1.5">
      {chips.map(chip => (
        <li key={chip.id} className="min-w-0 max-w-full">
          <button
            type="button"
            onClick={() => onChange(chip.without)}
            title={`Remove: ${chip.label}`}
            className="flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1.5 pl-2.5 text-accent text-sm max-md:h-11 max-md:pr-3 max-md:pl-4"
          >
            <span className="sr-only">Remove the filter </span>
            <span className="truncate">{chip.label}</span>
            <X size={12} aria-hidden="true" className="shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}
