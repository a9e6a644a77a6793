import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { localizeName } from '@/api/forms/names'
import { useMay } from '@/api/session'
import { type TriggerRow, triggersQuery } from '@/api/triggers'
import { formatNumber } from '@/lib/i18n'

/** With more forms than this, the rest is collapsed. */
const MAX_SHOWN = 4

const NO_TRIGGERS: readonly TriggerRow[] = []

/** The trigger forms that the member can submit. */
export function useTriggers(): readonly TriggerRow[] {
  const mayStart = useMay('decide')
  return useQuery({ ...triggersQuery, enabled: mayStart }).data ?? NO_TRIGGERS
}

/** On an agent's entry: the forms with which people start it. */
export function AgentTriggers({ agentId, className }: { agentId: string; className: string }) {
  const triggers = useTriggers()
  const own = useMemo(() => triggers.filter(trigger => trigger.agentId === agentId), [triggers, agentId])
  const [showsAll, setShowsAll] = useState(false)
  if (own.length === 0) return null
  const shown = showsAll ? own : own.slice(0, MAX_SHOWN)
  return (
    <ul className="ms-6 max-lg:ms-11">
      {shown.map(trigger => (
        <li key={trigger.formId}>
          <Link to="/triggers/$formId" params={{ formId: trigger.formId }} search={{}} className={className}>
            <Play className="icon-tiny shrink-0 text-muted" />
            <span dir="auto" className="min-w-0 flex-1 truncate" title={localizeName(trigger)}>
              {t`Start ${{ workflowName: localizeName(trigger) }}`}
            </span>
          </Link>
        </li>
      ))}
      {own.length > MAX_SHOWN && (
        <li>
          <button
            type="button"
            className="px-2 py-1 text-muted text-sm hover:text-ink pointer-coarse:min-h-11"
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? t`Show less` : t`Show all ${{ count: formatNumber(own.length) }}`}
          </button>
        </li>
      )}
    </ul>
  )
}
