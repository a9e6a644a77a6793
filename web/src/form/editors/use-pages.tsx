import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '@/components/button'
import { REVEAL } from '../focus'
import type { FieldFault } from '../types'

type Pages = {
  /** Around the items; a fault's place is looked for in there. */
  root: RefObject<HTMLDivElement | null>
  start: number
  end: number
  /** Nothing when one page holds everything. */
  pager: ReactNode
  /** To the page that an item stands on. */
  show: (index: number) => void
}

const numbers = new Intl.NumberFormat()

/** A long list page by page: thousands of editors at once would make every key press wait. */
export function usePages(count: number, size: number, place: string, faults: readonly FieldFault[]): Pages {
  const root = useRef<HTMLDivElement>(null)
  const [wanted, setPage] = useState(0)
  const last = Math.max(0, Math.ceil(count / size) - 1)
  const page = Math.min(wanted, last)
  const [start, end] = [page * size, Math.min(count, (page + 1) * size)]

  useEffect(() => {
    const field = root.current?.closest('[data-field]')
    const reveal = (event: Event) => {
      const index = indexIn((event as CustomEvent<string>).detail, place)
      if (index !== null) flushSync(() => setPage(Math.floor(index / size)))
    }
    field?.addEventListener(REVEAL, reveal)
    return () => field?.removeEventListener(REVEAL, reveal)
  }, [place, size])

  const elsewhere = faults
    .map(fault => indexIn(fault.path, place))
    .filter(index => index !== null)
    .filter(index => index < start || index >= end)
  const next = elsewhere.find(index => index >= end) ?? elsewhere[0]
  const pager = last > 0 && (
    <div className="flex flex-wrap items-center gap-1 text-muted text-sm">
      <IconButton
        label="Earlier items"
        size="small"
        icon={<ChevronLeft size={15} />}
        disabled={page === 0}
        onClick={() => setPage(page - 1)}
      />
      <span>
        {numbers.format(start + 1)}–{numbers.format(end)} of {numbers.format(count)}
      </span>
      <IconButton
        label="Later items"
        size="small"
        icon={<ChevronRight size={15} />}
        disabled={page === last}
        onClick={() => setPage(page + 1)}
      />
      {next !== undefined && (
        <button
          type="button"
          className="ml-2 text-bad underline"
          onClick={() => setPage(Math.floor(next / size))}
        >
          Something is wrong in item {numbers.format(next + 1)}
        </button>
      )}
    </div>
  )
  return { root, start, end, pager, show: index => setPage(Math.floor(index / size)) }
}

/** The item that a path leads into. */
export function indexIn(path: string, place: string): number | null {
  if (!path.startsWith(`${place}[`)) return null
  const index = Number.parseInt(path.slice(place.length + 1), 10)
  return Number.isNaN(index) ? null : index
}
