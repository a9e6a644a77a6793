import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { MousePointerClick } from 'lucide-react'
import { Suspense, useCallback, useEffect } from 'react'
import { usePendingDecisions } from '@/api/decisions'
import { prefetchReview, reviewQueries } from '@/api/review'
import { lazyPage } from '@/components/lazy'
import { ShortcutKeys } from '@/components/shortcut-keys'
import { EmptyState } from '@/components/status'
import { markOpened } from '@/features/inbox/opened-reviews'
import type { LocalDrafts } from '@/features/inbox/own-edits'
import { ReviewList } from '@/features/inbox/review-list'
import { type InboxList, useInboxList } from '@/features/inbox/use-inbox-list'
import { useStoredSetting } from '@/lib/stored-settings'
import { useOpenNavigation } from './navigation-sheet'
import { Splitter } from './splitter'

const loadPane = () => import('@/features/review/review-pane')
const ReviewPane = lazyPage(async () => ({ default: (await loadPane()).ReviewPane }))

const loadEdits = async () => (await import('@/features/review/edit-store')).memberEdits
const localDrafts: LocalDrafts = {
  read: async reviewId => (await loadEdits()).local(reviewId),
  delete: async reviewId => (await loadEdits()).forget(reviewId),
}

const LIST = { first: 376, min: 288, max: 640 }

/** The list and the open review side by side; on a phone, one of them. */
export function InboxPage() {
  const { reviewId } = useParams({ strict: false })
  const list = useInboxList(reviewId)
  const openNavigation = useOpenNavigation()
  const navigate = useNavigate()
  const [width, setWidth] = useStoredSetting('signoff.list-width', LIST.first)
  const { search, neighbours } = list

  const open = useCallback(
    (id: string) =>
      void navigate({ to: '/reviews/$reviewId', params: { reviewId: id }, search, resetScroll: false }),
    [navigate, search],
  )
  const close = useCallback(() => void navigate({ to: '/', search, resetScroll: false }), [navigate, search])
  useEffect(() => void loadPane(), [])
  usePrefetchNeighbors(list, reviewId)
  useMarkOpened(reviewId)
  useOpenNextReview(list, reviewId, open, close)

  const isOpen = reviewId !== undefined
  return (
    <main className="relative flex h-full overflow-hidden">
      <section
        // A custom property, because on a phone the pane is as wide as the page.
        style={{ '--list-width': `${width}px` } as React.CSSProperties}
        aria-label={t`Review list`}
        className={`w-(--list-width) shrink-0 max-md:w-full md:max-w-[42%] ${isOpen ? 'max-md:invisible max-md:absolute max-md:inset-0' : ''}`}
        // Stays mounted behind the open review on a phone, to come back to.
      >
        <ReviewList
          list={list}
          openId={reviewId}
          onOpen={open}
          onClose={close}
          onMenu={openNavigation}
          localDrafts={localDrafts}
        />
      </section>
      <Splitter
        width={width}
        onWidth={setWidth}
        min={LIST.min}
        max={LIST.max}
        label={t`Resize review list`}
      />
      <div className={`relative min-w-0 flex-1 bg-canvas ${isOpen ? '' : 'max-md:hidden'}`}>
        {isOpen ? (
          <Suspense>
            <ReviewPane
              reviewId={reviewId}
              onClose={close}
              onNext={() => neighbours?.next !== undefined && open(neighbours.next)}
              onPrevious={() => neighbours?.previous !== undefined && open(neighbours.previous)}
              {...(neighbours &&
                list.ids[neighbours.index] === reviewId && {
                  position: {
                    index: neighbours.index,
                    ...(!list.hasNextPage && { total: list.rows.length }),
                  },
                })}
            />
          </Suspense>
        ) : (
          <NoReviewOpen list={list} />
        )}
      </div>
    </main>
  )
}

function NoReviewOpen({ list }: { list: InboxList }) {
  if (list.rows.length === 0) return null
  return (
    <div className="grid h-full place-items-center">
      <EmptyState icon={<MousePointerClick />} title={t`No review selected`}>
        <p>{t`Select a review to see it here.`}</p>
        <p className="mt-3 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-sm">
          <span>
            <Trans>
              <ShortcutKeys keys="j" /> <ShortcutKeys keys="k" /> to move
            </Trans>
          </span>
          <span>
            <Trans>
              <ShortcutKeys keys="Enter" /> to open
            </Trans>
          </span>
          <span>
            <Trans>
              <ShortcutKeys keys="?" /> for all shortcuts
            </Trans>
          </span>
        </p>
      </EmptyState>
    </div>
  )
}

/** Prefetches the reviews before and after the open one, or the first, so that going there is instant. */
function usePrefetchNeighbors({ neighbours, ids }: InboxList, reviewId: string | undefined) {
  const client = useQueryClient()
  const next = reviewId === undefined ? ids[0] : neighbours?.next
  const previous = neighbours?.previous
  useEffect(() => {
    // Delayed, because the open review comes first.
    const timer = setTimeout(() => {
      if (next !== undefined) void prefetchReview(client, next)
      if (previous !== undefined) void prefetchReview(client, previous)
    }, 120)
    return () => clearTimeout(timer)
  }, [client, next, previous])
}

/** Marks the revision that was on screen as seen. */
function useMarkOpened(reviewId: string | undefined) {
  const revision = useQuery({
    ...reviewQueries.review(reviewId ?? ''),
    enabled: reviewId !== undefined,
  }).data?.revision
  useEffect(() => {
    if (reviewId === undefined || revision === undefined) return
    const mark = () => {
      if (document.visibilityState === 'visible') markOpened(reviewId, revision)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [reviewId, revision])
}

/** Opens the next review after a decision. After the last of a list, the one before it opens, or the list. */
function useOpenNextReview(
  { neighbours, ids }: InboxList,
  reviewId: string | undefined,
  open: (reviewId: string) => void,
  close: () => void,
) {
  const pending = usePendingDecisions()
  const hasLeft =
    reviewId !== undefined && pending.has(reviewId) && neighbours !== undefined && !ids.includes(reviewId)
  const target = neighbours?.next ?? neighbours?.previous
  useEffect(() => {
    if (!hasLeft) return
    if (target === undefined) close()
    else open(target)
  }, [hasLeft, target, open, close])
}
