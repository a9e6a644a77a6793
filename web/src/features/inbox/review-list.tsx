import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useFormName } from '@/api/forms/names'
import { prefetchReview } from '@/api/review'
import type { ReviewRow } from '@/api/review-filters'
import { useMay, useMe } from '@/api/session'
import { Button } from '@/components/button'
import { ErrorState, Spinner } from '@/components/status'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'
import { EmptyView } from './empty-view'
import { ListHeader } from './list-header'
import { useAgentNames, usePersonName } from './names'
import { hasOpened, useOpenedReviews } from './opened-reviews'
import type { LocalDrafts } from './own-edits'
import { type Assigned, ReviewRowItem } from './review-row'
import type { InboxSearch } from './search-params'
import { SelectionBar } from './selection-bar'
import type { InboxList } from './use-inbox-list'
import { useSelection } from './use-selection'
import { useStableScroll } from './use-stable-scroll'

/** A row's height in rem, so that rows grow with the text size. */
const ROW_REM = 3.75
const OVERSCAN = 40

type Props = {
  list: InboxList
  openId: string | undefined
  onOpen: (reviewId: string) => void
  onClose: () => void
  onMenu: () => void
  localDrafts: LocalDrafts
}

/** The reviews of a view, newest or oldest first. */
export function ReviewList({ list, openId, onOpen, onClose, onMenu, localDrafts }: Props) {
  const { rows, ids, search, view, filters, counts, neighbours } = list
  const client = useQueryClient()
  const me = useMe()
  const mayDecide = useMay('decide')
  const agentNames = useAgentNames()
  const formNameOf = useFormName()
  const opened = useOpenedReviews()
  const scroller = useRef<HTMLDivElement>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const rowHeight = useMemo(
    () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    [],
  )
  const listKey = useMemo(() => JSON.stringify(filters), [filters])
  const selection = useSelection(rows, listKey)
  const [isSelecting, setSelecting] = useState(false)
  const { added, toTop } = useStableScroll(scroller, ids, listKey, rowHeight)

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => ids[index] ?? index,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const lastShown = items.at(-1)?.index ?? -1
  // Fetching the next page during a refetch would abort the refetch.
  const mayLoadMore = hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (mayLoadMore && lastShown >= rows.length - OVERSCAN) fetchNextPage()
  }, [mayLoadMore, fetchNextPage, lastShown, rows.length])

  // The keyboard cursor: at the open review, else where the member moved it, else at the first.
  const [put, setPut] = useState<string>()
  const cursor = [openId, put].find(id => id !== undefined && ids.includes(id)) ?? ids[0]
  const wantsFocus = useRef<string>(undefined)
  useEffect(() => {
    const id = wantsFocus.current
    if (id === undefined) return
    const link = scroller.current?.querySelector<HTMLElement>(`[data-review="${CSS.escape(id)}"]`)
    if (!link) return
    wantsFocus.current = undefined
    link.focus({ preventScroll: true })
  })

  const show = useCallback(
    (id: string) => {
      const index = ids.indexOf(id)
      if (index !== -1) virtualizer.scrollToIndex(index)
    },
    [ids, virtualizer],
  )
  // Scroll to a review when it's opened; after that, leave the scroll position alone.
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (openId === shown.current) return
    if (openId !== undefined && !ids.includes(openId)) return
    shown.current = openId
    if (openId !== undefined) show(openId)
  }, [openId, ids, show])

  const step = useCallback(
    (by: 1 | -1) => {
      if (openId !== undefined) {
        const to = by === 1 ? neighbours?.next : neighbours?.previous
        const target = to ?? (neighbours ? undefined : ids[0])
        if (target === undefined) return
        if (scroller.current?.contains(document.activeElement)) wantsFocus.current = target
        onOpen(target)
        return
      }
      const index = put === undefined ? -1 : ids.indexOf(put)
      const target = ids[index === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, index + by))]
      if (target === undefined) return
      wantsFocus.current = target
      setPut(target)
      show(target)
      // Also if it's in the list already.
      scroller.current?.querySelector<HTMLElement>(`[data-review="${CSS.escape(target)}"]`)?.focus()
    },
    [openId, neighbours, ids, put, onOpen, show],
  )

  const intoList = useCallback(() => step(1), [step])
  const { toggle, clear, hasAny } = selection
  const rowAt = useCallback((id: string | undefined) => rows.find(row => row.reviewId === id), [rows])
  useShortcuts(
    useMemo((): Shortcut[] => {
      const group = t`List`
      const arrows = openId === undefined
      const toggleAt = (isRange: boolean) => {
        const row = rowAt(openId ?? put)
        if (row && mayDecide) toggle(row, isRange)
      }
      return [
        {
          keys: arrows ? ['j', 'ArrowDown'] : 'j',
          label: t`Next review`,
          group,
          run: () => step(1),
          keyboardOnly: true,
        },
        {
          keys: arrows ? ['k', 'ArrowUp'] : 'k',
          label: t`Previous review`,
          group,
          run: () => step(-1),
          keyboardOnly: true,
        },
        ...(arrows
          ? [
              {
                keys: 'Enter',
                label: t`Open review`,
                group,
                run: () => cursor && onOpen(cursor),
                keyboardOnly: true,
              },
            ]
          : []),
        { keys: '/', label: t`Search reviews`, group, run: () => searchInput.current?.select() },
        ...(mayDecide
          ? [
              {
                keys: 'x',
                label: t`Select review`,
                group,
                run: () => toggleAt(false),
                keyboardOnly: true,
              },
              {
                keys: 'shift+x',
                label: t`Select range`,
                group,
                run: () => toggleAt(true),
                keyboardOnly: true,
              },
            ]
          : []),
        {
          keys: 'Escape',
          label: t`Clear selection or close review`,
          group,
          run: () => (hasAny ? clear() : onClose()),
          keyboardOnly: true,
        },
      ]
    }, [step, openId, put, cursor, rowAt, toggle, clear, hasAny, mayDecide, onOpen, onClose]),
  )

  // Arrow keys move in the list, also while a review is open next to it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    step(event.key === 'ArrowDown' ? 1 : -1)
  }

  const hovering = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onHover = useCallback(
    (reviewId: string) => {
      clearTimeout(hovering.current)
      hovering.current = setTimeout(() => void prefetchReview(client, reviewId), 60)
    },
    [client],
  )

  const hrefOf = useHref(search)
  const nameOf = usePersonName(rows.some(row => row.takenBy !== undefined))
  const groupIds = useMemo(() => new Set(me.groups.map(group => group.groupId)), [me.groups])
  const assignedOf = (row: ReviewRow): Assigned => {
    if (row.assigneeIds.some(id => id === me.user.userId || groupIds.has(id))) return 'me'
    if (me.standingInFor.some(absent => isPartOfTitle(row, absent))) return 'standingIn'
    return row.assigneeIds.length > 0 || row.external ? 'others' : 'nobody'
  }

  return (
    <div className="relative flex h-full min-w-0 flex-col bg-surface">
      {view && filters ? (
        <ListHeader
          view={view}
          search={search}
          filters={filters}
          counts={counts}
          searchInput={searchInput}
          isSelecting={isSelecting}
          isReviewOpen={openId !== undefined}
          onSelecting={mayDecide ? setSelecting : undefined}
          onMenu={onMenu}
          onLeaveSearch={intoList}
        />
      ) : (
        <div className="h-24 shrink-0" />
      )}
      <div
        ref={scroller}
        data-scroller="reviews"
        className="relative min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
        aria-busy={list.isFetching || undefined}
      >
        {list.isError && rows.length === 0 ? (
          <ErrorState title={t`Couldn't load reviews`} error={list.error} onRetry={() => list.refetch()} />
        ) : list.isPending || view === null ? (
          <Placeholders height={rowHeight} />
        ) : rows.length === 0 && !hasNextPage ? (
          <EmptyView view={view} search={search} />
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveElementInteractions: it handles its links' arrow keys. */}
            <ul
              aria-label={t`Reviews`}
              style={{ height: virtualizer.getTotalSize() }}
              className="relative"
              onKeyDown={onKeyDown}
            >
              {items.map(item => {
                const row = rows[item.index]
                if (!row) return null
                const isOpen = row.reviewId === openId
                return (
                  <ReviewRowItem
                    key={row.reviewId}
                    row={row}
                    agentName={agentNames.get(row.agentId)}
                    formName={formNameOf(row)}
                    href={hrefOf(row.reviewId)}
                    q={search.q}
                    assigned={assignedOf(row)}
                    taker={nameOf(row.takenBy)}
                    isTakenByMe={row.takenBy === me.user.userId}
                    isOpen={isOpen}
                    isCursor={row.reviewId === cursor}
                    isUnseen={!isOpen && row.state === 'pending' && !hasOpened(opened, row)}
                    isSelected={selection.isSelected(row.reviewId)}
                    canSelect={mayDecide}
                    isOtherType={selection.isOtherType(row)}
                    isSelecting={isSelecting || hasAny}
                    tapSelects={isSelecting}
                    position={item.index + 1}
                    total={hasNextPage ? undefined : rows.length}
                    top={item.start}
                    height={item.size}
                    onOpen={onOpen}
                    onToggle={toggle}
                    onHover={onHover}
                    onFocus={setPut}
                  />
                )
              })}
            </ul>
            {isFetchNextPageError ? (
              <div className="flex items-center justify-center gap-3 py-4 text-muted">
                {t`Couldn't load more reviews.`}
                <Button size="small" onClick={() => fetchNextPage()}>
                  {t`Try again`}
                </Button>
              </div>
            ) : (
              hasNextPage && (
                <div className="grid place-items-center py-4">
                  <Spinner label={t`Loading more reviews…`} />
                </div>
              )
            )}
          </>
        )}
      </div>
      {added > 0 && (
        <div className="pointer-events-none absolute inset-x-0 top-26 z-10 flex justify-center">
          <Button
            kind="primary"
            size="small"
            icon={<ArrowUp />}
            onClick={toTop}
            className="pointer-events-auto rounded-full px-3 shadow-float"
          >
            <span role="status">{plural(added, { one: '# new review', other: '# new reviews' })}</span>
          </Button>
        </div>
      )}
      <SelectionBar
        selection={selection}
        rows={rows}
        localDrafts={localDrafts}
        onStop={() => setSelecting(false)}
      />
    </div>
  )
}

const isPartOfTitle = (
  row: ReviewRow,
  { userId, groupIds }: { userId: string; groupIds: readonly string[] },
) => row.assigneeIds.some(id => id === userId || groupIds.includes(id))

/** The URLs of reviews in this list. They differ only in the ID, so the rest is built once. */
function useHref(search: InboxSearch): (reviewId: string) => string {
  const router = useRouter()
  return useMemo(() => {
    const place = 'REVIEW'
    const location = router.buildLocation({ to: '/reviews/$reviewId', params: { reviewId: place }, search })
    const href = router.history.createHref(location.publicHref)
    return reviewId => href.replace(place, encodeURIComponent(reviewId))
  }, [router, search])
}

function Placeholders({ height }: { height: number }) {
  return (
    <div aria-hidden="true">
      {[62, 48, 74, 55, 68, 42, 60].map(width => (
        <div
          key={width}
          style={{ height }}
          className="flex flex-col justify-center gap-2 border-line border-b px-7"
        >
          <span style={{ width: `${width}%` }} className="h-3 rounded bg-line/70" />
          <span className="h-2.5 w-1/3 rounded bg-line/50" />
        </div>
      ))}
    </div>
  )
}
