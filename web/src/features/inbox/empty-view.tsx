import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { allAgentsQuery } from '@/api/settings/agents'
import { Empty } from '@/components/status'
import { useInboxView } from './inbox-view'
import type { InboxSearch, ViewName } from './search-params'
import { countText, VIEW } from './views'

const LINK = 'text-accent underline underline-offset-2'

/** What the list says when there is nothing in it, and where there is something. */
export function EmptyView({ view, search }: { view: ViewName; search: InboxSearch }) {
  const { counts } = useInboxView()
  const agents = useQuery(allAgentsQuery).data
  const { q, ...others } = search
  if (q) {
    return (
      <Empty
        icon={<SearchX size={28} />}
        title={`Nothing here has “${q}”`}
        action={
          view !== 'any' && (
            <Link to="/" search={{ view: 'any', q }} className={LINK}>
              Search in everything
            </Link>
          )
        }
      >
        Titles and texts are searched. The last word may be only begun.
      </Empty>
    )
  }
  if (others.agent || others.form || others.session || others.run || others.assigned || others.response) {
    return (
      <Empty
        icon={VIEW[view].icon}
        title="Nothing matches these filters"
        action={
          <Link to="/" search={{ view }} className={LINK}>
            Remove the filters
          </Link>
        }
      />
    )
  }
  if (agents?.length === 0) {
    return (
      <Empty
        icon={VIEW.all.icon}
        title="No agent has been set up yet"
        action={
          <Link to="/settings/$section" params={{ section: 'agents' }} className={LINK}>
            Set up an agent
          </Link>
        }
      >
        An agent asks for reviews over the API. They appear here the moment it does.
      </Empty>
    )
  }
  const elsewhere = view === 'mine' || view === 'groups' || view === 'unassigned' ? counts?.views.all : 0
  return (
    <Empty
      icon={VIEW[view].icon}
      title={VIEW[view].empty}
      action={
        elsewhere ? (
          <Link to="/" search={{ view: 'all' }} className={LINK}>
            See all open ({countText(elsewhere)})
          </Link>
        ) : undefined
      }
    >
      {VIEW[view].why}
    </Empty>
  )
}
