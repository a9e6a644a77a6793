import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '@/components/button'
import { formatNumber } from '@/lib/i18n'
import { ApprovalNoticesContext, useApprovalNotice } from '../approval-notices'
import { REVEAL } from '../focus'
import type { FieldError, Json } from '../types'
import { useUnviewedItems } from '../viewed-items'
import { ITEM_TEXTS, type Noun } from './item-texts'

type Pages = {
  /** The element around the items, in which the path of an error is looked up. */
  root: RefObject<HTMLDivElement | null>
  start: number
  end: number
  /** Null if everything is on one page. */
  pager: ReactNode
  /** The total, the shown range, and how many items haven't been viewed. */
  summary: ReactNode
  /** Goes to the page of an item. */
  show: (index: number) => void
}

type Options = {
  /** A stable key for each item. */
  keys: readonly string[]
  /** The number of items on a page. */
  size: number
  field: { label: string }
  place: string
  errors: readonly FieldError[]
  suggested: Json
  noun: Noun
}

/** Pages a long list: thousands of editors at once would slow down every keystroke. */
export function usePages({ keys, size, field, place, errors, suggested, noun }: Options): Pages {
  const count = keys.length
  const words = ITEM_TEXTS[noun]
  const root = useRef<HTMLDivElement>(null)
  const [wanted, setPage] = useState(0)
  const last = Math.max(0, Math.ceil(count / size) - 1)
  const page = Math.min(wanted, last)
  const [start, end] = [page * size, Math.min(count, (page + 1) * size)]

  useEffect(() => {
    const field = root.current?.closest('[data-field]')
    const reveal = (event: Event) => {
      const index = getItemIndex((event as CustomEvent<string>).detail, place)
      if (index !== null) flushSync(() => setPage(Math.floor(index / size)))
    }
    field?.addEventListener(REVEAL, reveal)
    return () => field?.removeEventListener(REVEAL, reveal)
  }, [place, size])

  const missing = useUnviewedItems(keys, start, end, suggested)
  const [firstMissing] = missing
  useApprovalNotice(
    firstMissing === undefined
      ? null
      : {
          level: 'confirm',
          text: words.notViewedIn(missing.length, count, field.label),
          show: () => {
            flushSync(() => setPage(Math.floor(firstMissing / size)))
            root.current?.closest<HTMLElement>('[data-field]')?.focus({ preventScroll: true })
            root.current?.scrollIntoView({ block: 'start' })
          },
        },
  )

  const elsewhere = errors
    .map(error => getItemIndex(error.path, place))
    .filter(index => index !== null)
    .filter(index => index < start || index >= end)
  const next = elsewhere.find(index => index >= end) ?? elsewhere[0]
  const pager = last > 0 && (
    <div className="flex flex-wrap items-center gap-1 text-muted text-sm">
      <IconButton
        label={t`Previous page`}
        size="small"
        icon={<ChevronLeft />}
        disabled={page === 0}
        onClick={() => setPage(page - 1)}
      />
      <span>{formatPageRange(start + 1, end, count)}</span>
      <IconButton
        label={t`Next page`}
        size="small"
        icon={<ChevronRight />}
        disabled={page === last}
        onClick={() => setPage(page + 1)}
      />
      {next !== undefined && (
        <button
          type="button"
          className="ms-2 text-bad underline"
          onClick={() => setPage(Math.floor(next / size))}
        >
          {words.errorIn(next + 1)}
        </button>
      )}
    </div>
  )
  // There is no approval in a preview or in a decided review.
  const canApprove = useContext(ApprovalNoticesContext) !== null
  const summary = (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      {last > 0 ? pager : <span>{words.count(count)}</span>}
      {canApprove && missing.length > 0 && (
        <span className="text-warn">{words.notViewed(missing.length)}</span>
      )}
    </div>
  )
  return { root, start, end, pager, summary, show: index => setPage(Math.floor(index / size)) }
}

function formatPageRange(first: number, last: number, count: number): string {
  const [from, to, total] = [formatNumber(first), formatNumber(last), formatNumber(count)]
  return t`${from}–${to} of ${total}`
}

/** The index of the item that a path leads into. */
export function getItemIndex(path: string, place: string): number | null {
  if (!path.startsWith(`${place}[`)) return null
  const index = Number.parseInt(path.slice(place.length + 1), 10)
  return Number.isNaN(index) ? null : index
}
