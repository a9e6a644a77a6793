import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ArrowLeft,
  Braces,
  ChevronDown,
  ChevronUp,
  Ellipsis,
  History,
  Link as LinkIcon,
  Trash2,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Review, type ReviewQueries, reviewQueries } from '@/api/review'
import { IconButton } from '@/components/button'
import { useCopy } from '@/components/copy-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { RelativeTime } from '@/components/relative-time'
import { formatNumber } from '@/lib/i18n'
import { type Assigning, AssigningItems, TakeButton, useAssigning } from './assign-control'
import { AssignedPeople, TakenAndFor } from './assigned'
import { DueCountdown } from './countdown'
import { OtherViewers } from './presence'
import { RunStrip } from './run-strip'
import { StateBadge } from './state-badge'

/** The name of its review type in the language of the page, in the version of the review. */
export function useReviewTypeName(review: Review, queries: ReviewQueries = reviewQueries): string {
  return useQuery(queries.form(review)).data?.name ?? review.formName
}

/** In the language of the page. */
export function useReviewTitle(review: Review, queries: ReviewQueries = reviewQueries): string {
  const formName = useReviewTypeName(review, queries)
  return review.title || formName
}

const INNER = 'rounded text-muted underline-offset-2 hover:text-ink hover:underline'

export function ReviewHeader({
  review,
  onClose,
  onNext,
  onPrevious,
  position,
  isHistoryOpen,
  onHistory,
  onRaw,
  onDelete,
  takesFocus,
}: {
  review: Review
  onClose: () => void
  onNext: () => void
  onPrevious: () => void
  position?: { index: number; total?: number }
  isHistoryOpen: boolean
  onHistory: () => void
  onRaw: () => void
  /** Absent if the member isn't allowed to. */
  onDelete?: () => void
  /** The member got here by deciding the previous review. */
  takesFocus: boolean
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const formName = useReviewTypeName(review)
  const title = useReviewTitle(review)
  const assigning = useAssigning(review)
  return (
    <header className="@container flex items-start gap-1 border-line border-b px-4 py-3 max-md:px-1 max-md:py-1.5 md:px-6">
      <IconButton
        label={t`Back to list`}
        icon={<ArrowLeft />}
        size="large"
        className="md:hidden"
        onClick={onClose}
      />
      <div className="min-w-0 flex-1 max-md:py-1">
        <div className="flex min-w-0 items-center gap-2">
          <h1
            ref={heading}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 truncate font-semibold text-lg outline-none"
            title={title}
          >
            {title}
          </h1>
          <span className="inline-flex shrink-0 gap-1">
            <StateBadge review={review} />
          </span>
        </div>
        <div className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-2 text-muted text-sm">
          <span dir="auto" className="max-w-60 truncate">
            {review.agentName}
          </span>
          {review.title && (
            <span className="contents max-md:hidden @max-[34rem]:hidden">
              <Dot />
              <span dir="auto" className="max-w-60 truncate">
                {formName}
              </span>
            </span>
          )}
          <Dot />
          <RelativeTime at={review.createdAt} />
          {review.workflowRunId && (
            <>
              <Dot />
              <Link to="/" search={{ run: review.workflowRunId }} className={`${INNER} max-w-48 truncate`}>
                {t`Run: ${{ name: review.runName ?? review.workflowRunId }}`}
              </Link>
            </>
          )}
          <span className="contents max-md:hidden @max-[34rem]:hidden">
            <Dot />
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: review.sessionId }}
              search={{ review: review.reviewId }}
              className={`${INNER} max-w-48 truncate max-md:hidden`}
            >
              {review.sessionName ? t`Chat: ${{ name: review.sessionName }}` : t`Chat`}
            </Link>
          </span>
          <AssignedPeople review={review} onAssign={assigning.assign} />
          <TakenAndFor review={review} />
          <DueCountdown review={review} />
        </div>
        {review.workflowRunId && <RunStrip runId={review.workflowRunId} reviewId={review.reviewId} />}
      </div>
      <div className="flex shrink-0 items-center gap-0.5">
        <span className="me-2 max-md:me-0">
          <OtherViewers reviewId={review.reviewId} />
        </span>
        <TakeButton {...assigning} />
        {assigning.dialog}
        <Position position={position} />
        <span className="contents max-md:hidden">
          <IconButton
            label={t`Previous review`}
            keys="k"
            icon={<ChevronUp />}
            onClick={onPrevious}
            className="max-md:hidden"
          />
          <IconButton
            label={t`Next review`}
            keys="j"
            icon={<ChevronDown />}
            onClick={onNext}
            className="max-md:hidden"
          />
        </span>
        <IconButton
          label={t`History`}
          keys="h"
          icon={<History />}
          onClick={onHistory}
          aria-pressed={isHistoryOpen}
          className="max-md:hidden aria-pressed:bg-selected aria-pressed:text-ink"
        />
        <More assigning={assigning} onHistory={onHistory} onRaw={onRaw} onDelete={onDelete} />
      </div>
    </header>
  )
}

const Dot = () => <span aria-hidden="true">·</span>

function Position({ position }: { position?: { index: number; total?: number } }) {
  if (!position) return null
  const place = formatNumber(position.index + 1)
  const { total } = position
  return (
    <span className="me-1 text-muted text-sm max-lg:hidden @max-[34rem]:hidden">
      {total === undefined ? place : t`${{ position: place }} of ${{ total: formatNumber(total) }}`}
    </span>
  )
}

function More({
  assigning,
  onHistory,
  onRaw,
  onDelete,
}: {
  assigning: Assigning
  onHistory: () => void
  onRaw: () => void
  onDelete?: () => void
}) {
  const { copied, copy } = useCopy()
  return (
    <>
      <span role="status" className={copied ? 'text-muted text-sm' : 'sr-only'}>
        {copied && t`Link copied`}
      </span>
      <Menu trigger={<IconButton label={t`More actions`} icon={<Ellipsis />} />}>
        <AssigningItems {...assigning} />
        <MenuItem
          icon={<LinkIcon />}
          // Without the list's filters: the link is for the review.
          onSelect={() => void copy(location.origin + location.pathname)}
        >
          {t`Copy link`}
        </MenuItem>
        <MenuItem icon={<History />} keys="h" onSelect={onHistory}>
          {t`History`}
        </MenuItem>
        <MenuItem icon={<Braces />} onSelect={onRaw}>
          {t`View as JSON`}
        </MenuItem>
        {onDelete && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
              {t`Delete review…`}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  )
}
