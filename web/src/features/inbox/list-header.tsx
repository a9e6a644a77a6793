import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import {
  ArrowDownNarrowWide,
  ArrowUpNarrowWide,
  BookmarkPlus,
  ListChecks,
  Menu as MenuIcon,
} from 'lucide-react'
import { memo, type RefObject, useState } from 'react'
import type { Counts } from '@/api/inbox'
import type { ReviewFilters } from '@/api/review-filters'
import { IconButton } from '@/components/button'
import { Menu, MenuChoice, MenuLabel } from '@/components/menu'
import { SearchBox } from '@/components/search-box'
import { i18n } from '@/lib/i18n'
import { FilterChips, useFilterChips } from './filter-chips'
import { FilterMenu } from './filter-menu'
import { NameDialog } from './name-dialog'
import { useAgentNames, useFormNames, useSavedViewName } from './names'
import { getSearch, type InboxSearch, type ViewName } from './search-params'
import { formatCount, formatSavedCount, VIEW } from './views'

type Props = {
  view: ViewName
  search: InboxSearch
  filters: ReviewFilters
  counts: Counts | undefined
  searchInput: RefObject<HTMLInputElement | null>
  isSelecting: boolean
  /** The open review then has the page's heading. */
  isReviewOpen: boolean
  /** Absent for members who can't decide. */
  onSelecting?: (isSelecting: boolean) => void
  onMenu: () => void
  onLeaveSearch: () => void
}

/** The list's title and controls. Memoized, so that scrolling doesn't render it again. */
export const ListHeader = memo(function ListHeader({
  view,
  search,
  filters,
  counts,
  searchInput,
  isSelecting,
  isReviewOpen,
  onSelecting,
  onMenu,
  onLeaveSearch,
}: Props) {
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  const title = useTitle(view, search)
  const chips = useFilterChips(view, search)
  // On a wide screen the open review stays open next to the list.
  const go = (next: InboxSearch, replace = false) => navigate({ to: '.', search: next, replace })
  const Heading = isReviewOpen ? 'h2' : 'h1'
  const isOldest = search.order === 'oldest'
  return (
    <header className="flex flex-col gap-2 border-line border-b px-3 pb-2.5">
      <div className="flex h-12 items-center gap-0.5 pt-1">
        <IconButton
          label={t`Open navigation`}
          icon={<MenuIcon />}
          onClick={onMenu}
          className="-ms-2 lg:hidden"
        />
        <Heading className="min-w-0 flex-1 truncate font-semibold text-lg">
          <bdi>{title}</bdi>{' '}
          <span className="ps-1 font-normal text-muted text-sm">{getCount(view, search, counts)}</span>
        </Heading>
        {onSelecting && (
          <IconButton
            label={isSelecting ? t`Cancel selection` : t`Select multiple`}
            aria-pressed={isSelecting}
            icon={<ListChecks />}
            className="md:hidden"
            onClick={() => onSelecting(!isSelecting)}
          />
        )}
        {!search.saved && chips.length > 0 && (
          <IconButton label={t`Save view`} icon={<BookmarkPlus />} onClick={() => setNaming(true)} />
        )}
        <Menu
          trigger={
            <IconButton
              label={isOldest ? t`Sort: oldest first` : t`Sort: newest first`}
              icon={isOldest ? <ArrowUpNarrowWide /> : <ArrowDownNarrowWide />}
            />
          }
        >
          <MenuLabel>{t`Sort by`}</MenuLabel>
          <MenuChoice
            value={isOldest ? 'oldest' : 'newest'}
            onChange={order => go({ ...search, order: order === 'oldest' ? order : undefined })}
            options={[
              { id: 'newest', label: t`Newest first` },
              { id: 'oldest', label: t`Oldest first` },
            ]}
          />
        </Menu>
        <FilterMenu
          filters={filters}
          onChange={changed => go(getSearch(changed))}
          onSave={() => setNaming(true)}
        />
      </div>
      <SearchBox
        label={t`Search reviews`}
        placeholder={t`Search`}
        q={search.q}
        onSearch={q => go({ ...search, q }, true)}
        onLeave={onLeaveSearch}
        input={searchInput}
      />
      {chips.length > 0 && <FilterChips chips={chips} onChange={next => go(next)} />}
      {isNaming && (
        <NameDialog
          filters={filters}
          onClose={() => setNaming(false)}
          onSaved={saved => go({ ...search, view, saved: saved.viewId })}
        />
      )}
    </header>
  )
})

/** The title of the list: its narrowest filter. */
export function useTitle(view: ViewName, search: InboxSearch): string {
  const saved = useSavedViewName(search.saved)
  const agents = useAgentNames()
  const forms = useFormNames()
  if (saved) return saved
  if (search.form) return forms.get(search.form) ?? t`Review type`
  if (search.agent) return agents.get(search.agent) ?? t`Agent`
  return i18n._(VIEW[view].name)
}

/** The number of reviews, if exactly this list is counted. */
function getCount(view: ViewName, search: InboxSearch, counts: Counts | undefined): string {
  if (!counts || search.q) return ''
  if (search.saved) return formatSavedCount(search.saved, counts)
  if (search.session || search.run || search.assigned || search.response) return ''
  if (search.agent || search.form) {
    if (view !== 'all') return ''
    return formatCount(search.form ? counts.forms[search.form] : counts.agents[search.agent ?? ''], counts)
  }
  const { count } = VIEW[view]
  return count ? formatCount(counts.views[count], counts) : ''
}
