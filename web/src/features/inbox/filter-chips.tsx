import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { i18n } from '@/lib/i18n'
import { useAgentNames, useAssigneeName, useChatName, useFormNames, useRunName } from './names'
import type { InboxSearch, ViewName } from './search-params'
import { VIEW } from './views'

type Chip = { id: string; label: string; without: InboxSearch }

/** The filters beyond the list's title, as removable chips. */
export function useFilterChips(view: ViewName, search: InboxSearch): Chip[] {
  const assignee = useAssigneeName(search.assigned)
  const agents = useAgentNames()
  const forms = useFormNames()
  const chat = useChatName(search.session)
  const run = useRunName(search.run)
  const chips: Chip[] = []
  const add = (id: string, label: string, gone: InboxSearch) =>
    chips.push({ id, label, without: { ...search, saved: undefined, ...gone } })
  const isTitle = search.saved === undefined
  if (search.agent && (!isTitle || search.form))
    add('agent', agents.get(search.agent) ?? t`Agent`, { agent: undefined, form: undefined })
  if (search.form && !isTitle) add('form', forms.get(search.form) ?? t`Review type`, { form: undefined })
  const hasOtherTitle = !isTitle || search.agent || search.form
  if (hasOtherTitle && view !== 'all' && !search.response)
    add('view', i18n._(VIEW[view].name), { view: 'all' })
  if (search.response)
    add(
      'response',
      search.response === 'approved'
        ? t({ message: 'Approved', context: 'reviews' })
        : t({ message: 'Rejected', context: 'reviews' }),
      {
        response: undefined,
        view: 'decided',
      },
    )
  if (search.assigned) add('assigned', getAssigneeText(search.assigned, assignee), { assigned: undefined })
  if (search.session) add('session', chat ? t`Chat: ${{ name: chat }}` : t`Chat`, { session: undefined })
  if (search.run)
    add('run', run ? t`Run: ${{ name: run }}` : t({ message: 'Run', context: 'noun' }), { run: undefined })
  return chips
}

function getAssigneeText(assigned: string, name: string | undefined): string {
  if (assigned === 'me') return t`Assigned to me`
  if (assigned === 'myGroups') return t`Assigned to my groups`
  if (assigned === 'nobody') return t`Unassigned`
  return name ? t`Assigned to ${name}` : t`Assigned to an unknown member or group`
}

export function FilterChips({ chips, onChange }: { chips: Chip[]; onChange: (search: InboxSearch) => void }) {
  return (
    <ul aria-label={t`Filters`} className="flex flex-wrap gap-1.5">
      {chips.map(chip => (
        <li key={chip.id} className="min-w-0 max-w-full">
          <button
            type="button"
            onClick={() => onChange(chip.without)}
            title={t`Remove filter: ${{ label: chip.label }}`}
            className="flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 ps-2.5 pe-1.5 text-accent text-sm pointer-coarse:min-h-11 pointer-coarse:ps-4 pointer-coarse:pe-3"
          >
            <span className="sr-only">{t`Remove filter: ${{ label: chip.label }}`}</span>
            <span dir="auto" className="truncate" aria-hidden="true">
              {chip.label}
            </span>
            <X className="icon-tiny shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}
