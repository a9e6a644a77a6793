import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { getShiftAbove } from './scroll-anchor'

/**
 * Keeps visible rows in place when rows are added or removed above them, and counts the new ones. At the very top, new
 * rows are shown: that's where people look for them.
 */
export function useStableScroll(
  scroller: RefObject<HTMLElement | null>,
  ids: readonly string[],
  /** A different list starts at the top. */
  list: string,
  rowHeight: number,
) {
  const before = useRef({ ids, list })
  const [added, setAdded] = useState(0)

  useLayoutEffect(() => {
    const was = before.current
    before.current = { ids, list }
    const element = scroller.current
    if (!element) return
    if (was.list !== list) {
      element.scrollTop = 0
      setAdded(0)
      return
    }
    if (was.ids === ids || element.scrollTop < rowHeight / 2) return
    const shift = getShiftAbove(was.ids, ids, Math.floor(element.scrollTop / rowHeight))
    if (shift.rows !== 0) element.scrollTop += shift.rows * rowHeight
    if (shift.added > 0) setAdded(count => count + shift.added)
  }, [scroller, ids, list, rowHeight])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = () => {
      if (element.scrollTop < rowHeight) setAdded(0)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroller, rowHeight])

  const toTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 })
    setAdded(0)
  }, [scroller])

  return { added, toTop }
}
