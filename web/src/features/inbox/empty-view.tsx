import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { allAgentsQuery } from '@/api/settings/agents'
import { EmptyState } from '@/components/status'
import { i18n } from '@/lib/i18n'
import { useInboxView } from './inbox-view'
import type { InboxSearch, ViewName } from './search-params'
import { formatCount, VIEW } from './views'

const LINK = 'text-accent underline underline-offset-2'

/** What an empty list says. */
export function EmptyView({ view, search }: { view: ViewName; search: InboxSearch }) {
  const { counts } = useInboxView()
  const agents = useQuery(allAgentsQuery).data
  const { q, ...others } = search
  if (q) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t`No results for “${{ query: q }}”`}
        action={
          view !== 'any' && (
            <Link to="/" search={{ view: 'any', q }} className={LINK}>
              {t`Search all reviews`}
            </Link>
          )
        }
      >
        {t`Search covers titles and text fields. The last word can be incomplete.`}
      </EmptyState>
    )
  }
  if (others.agent || others.form || others.session || others.run || others.assigned || others.response) {
    return (
      <EmptyState
        icon={VIEW[view].icon}
        title={t`No reviews match these filters`}
        action={
          <Link to="/" search={{ view }} className={LINK}>
            {t`Clear filters`}
          </Link>
        }
      />
    )
  }
  if (agents?.length === 0) {
    return (
      <EmptyState
        icon={VIEW.all.icon}
        title={t`No agents yet`}
        action={
          <Link to="/settings/$section" params={{ section: 'agents' }} className={LINK}>
            {t`Add agent`}
          </Link>
        }
      >
        {t`Agents request reviews through the API. New requests show up here right away.`}
      </EmptyState>
    )
  }
  const elsewhere = view === 'mine' || view === 'groups' || view === 'unassigned' ? counts?.views.all : 0
  return (
    <EmptyState
      icon={VIEW[view].icon}
      title={i18n._(VIEW[view].empty)}
      action={
        elsewhere ? (
          <Link to="/" search={{ view: 'all' }} className={LINK}>
            {t`View all pending (${{ count: formatCount(elsewhere, counts) }})`}
          </Link>
        ) : undefined
      }
    >
      {i18n._(VIEW[view].why)}
    </EmptyState>
  )
}
