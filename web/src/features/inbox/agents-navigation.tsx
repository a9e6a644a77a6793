import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { localizeName } from '@/api/forms/names'
import type { Counts } from '@/api/inbox'
import { type Agent, allAgentsQuery } from '@/api/settings/agents'
import { classes } from '@/lib/classes'
import { formatNumber, intl } from '@/lib/i18n'
import { useStoredSetting } from '@/lib/stored-settings'
import { NavigationItem } from './navigation-item'
import type { InboxSearch } from './search-params'
import { formatCount } from './views'

/** With more agents than this, those without open reviews are collapsed. */
const MAX_SHOWN = 12

type Props = {
  current: InboxSearch | null
  counts: Counts | undefined
  /** Extra content after an agent's name. */
  beside?: (agent: Agent) => ReactNode
  /** Extra content below an agent's entry. */
  below?: (agent: Agent) => ReactNode
}

const compareByName = (a: { name: string }, b: { name: string }) =>
  intl(Intl.Collator).compare(a.name, b.name)

/** Every agent, and below it the review types that it uses. */
export function AgentsNavigation({ current, counts, beside, below }: Props) {
  const agents = useQuery(allAgentsQuery).data
  const [showsAll, setShowsAll] = useState(false)
  const sorted = useMemo(() => agents?.toSorted(compareByName) ?? [], [agents])
  const isBusy = (agent: Agent) => counts?.agents[agent.agentId] || agent.agentId === current?.agent
  const shown = showsAll || sorted.length <= MAX_SHOWN ? sorted : sorted.filter(isBusy)
  if (sorted.length === 0) return null
  return (
    <section aria-labelledby="navigation-agents">
      <h2 id="navigation-agents" className="px-2 pt-4 pb-1 text-muted text-xs">
        {t`Agents`}
      </h2>
      <ul>
        {shown.map(agent => (
          <li key={agent.agentId}>
            <AgentItem agent={agent} current={current} counts={counts} beside={beside} below={below} />
          </li>
        ))}
      </ul>
      {sorted.length > MAX_SHOWN && (
        <button
          type="button"
          className="px-2 py-1 text-muted text-sm hover:text-ink pointer-coarse:min-h-11"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t`Show fewer agents` : t`Show all ${{ count: formatNumber(sorted.length) }} agents`}
        </button>
      )}
    </section>
  )
}

function AgentItem({ agent, current, counts, beside, below }: Props & { agent: Agent }) {
  const forms = useQuery(activeFormsQuery).data
  const [kept, setKept] = useStoredSetting<boolean>(`signoff.agent-open.${agent.agentId}`, false)
  const own = useMemo(
    () =>
      (forms ?? [])
        .filter(form => form.agentId === agent.agentId)
        .map(form => ({ formId: form.formId, name: localizeName(form) }))
        .sort(compareByName),
    [forms, agent.agentId],
  )
  const hasCurrentForm = current?.form !== undefined && own.some(form => form.formId === current.form)
  const isExpanded = kept || hasCurrentForm
  const list = `agent-${agent.agentId}`
  return (
    <>
      <div className="flex items-center">
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={isExpanded ? list : undefined}
          aria-label={t`Review types for ${{ agentName: agent.name }}`}
          disabled={own.length === 0}
          onClick={() => setKept(!isExpanded)}
          className="grid h-7.5 w-6 shrink-0 place-items-center rounded-md text-muted hover:text-ink disabled:invisible pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          <ChevronRight
            className={classes('icon-small transition-transform', isExpanded && 'rotate-90 rtl:-rotate-90')}
          />
        </button>
        <NavigationItem
          search={{ agent: agent.agentId }}
          isCurrent={current?.agent === agent.agentId && !current.form && !current.saved}
          count={formatCount(counts?.agents[agent.agentId], counts)}
          className="flex-1 ps-1"
        >
          {agent.name}
        </NavigationItem>
        {beside?.(agent)}
      </div>
      {below?.(agent)}
      {isExpanded && (
        <ul id={list} className="ms-3 border-line border-s ps-3 max-lg:ms-5">
          {own.map(form => (
            <li key={form.formId}>
              <NavigationItem
                search={{ agent: agent.agentId, form: form.formId }}
                isCurrent={current?.form === form.formId && !current.saved}
                count={formatCount(counts?.forms[form.formId], counts)}
              >
                {form.name}
              </NavigationItem>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
