import { t } from '@lingui/core/macro'
import type { Counts } from '@/api/inbox'
import { useMe } from '@/api/session'
import { i18n } from '@/lib/i18n'
import { NavigationItem } from './navigation-item'
import type { InboxSearch, ViewName } from './search-params'
import { formatCount, VIEW } from './views'

const NAVIGATION_VIEWS: readonly ViewName[] = ['mine', 'groups', 'unassigned', 'all', 'waiting', 'decided']

type Props = {
  current: InboxSearch | null
  /** The current view; the URL may not name it. */
  view: ViewName | null
  counts: Counts | undefined
}

export function ViewsNavigation({ current, view, counts }: Props) {
  const me = useMe()
  const isPlain = current !== null && !current.saved && !current.agent && !current.form
  return (
    <ul aria-label={t`Views`}>
      {NAVIGATION_VIEWS.map(name => {
        // Hidden for members without groups.
        if (name === 'groups' && me.groups.length === 0 && view !== 'groups') return null
        const { icon, count, name: label } = VIEW[name]
        return (
          <li key={name}>
            <NavigationItem
              search={{ view: name }}
              isCurrent={isPlain && view === name}
              icon={icon}
              count={formatCount(count && counts?.views[count], counts)}
              isWaiting={name === 'waiting'}
            >
              {i18n._(label)}
            </NavigationItem>
          </li>
        )
      })}
    </ul>
  )
}
