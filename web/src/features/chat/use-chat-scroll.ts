import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this many pixels of the end counts as at the end. */
const NEAR_END = 40

export type ChatScroll = {
  scroller: RefObject<HTMLElement | null>
  content: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  /** After each render of the content: keeps the scroll position of what is being read. */
  settle: () => void
  toEnd: () => void
  /** Keeps the upper edge of an element in place while its size changes. */
  holdAt: (element: HTMLElement) => void
  /** Scrolls an element to this many pixels below the upper edge. */
  showAt: (element: HTMLElement, top: number) => void
}

/**
 * Keeps what is being read in place. At the end, the newest message stays in view while it grows; further up, nothing
 * moves, whatever is added above or below.
 */
export function useChatScroll(): ChatScroll {
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<{ element: HTMLElement; top: number } | null>(null)
  /** The last known scroll position. */
  const lastTop = useRef(0)
  /** The maximum scroll position at that time. */
  const lastEnd = useRef(-1)
  const [isAtEnd, setAtEnd] = useState(true)

  const topOf = useCallback((element: Element): number => {
    const box = scroller.current
    return box ? element.getBoundingClientRect().top - box.getBoundingClientRect().top : 0
  }, [])

  const remember = useCallback(() => {
    const box = scroller.current
    if (!box || !content.current) return
    // A reader who was at the end and hasn't scrolled up still is: the scroll position is about to follow the new
    // content.
    const hasLeft = atEnd.current && hasScrolledUp(box, lastTop.current)
    const isFollowing = atEnd.current && !hasLeft
    // When scrolling down, near the end is enough; a reader who scrolls up isn't pulled back.
    const hasComeDown = !hasLeft && box.scrollTop >= lastTop.current
    // Scrolling up in tiny steps counts as well.
    lastTop.current = isFollowing ? Math.max(lastTop.current, box.scrollTop) : box.scrollTop
    atEnd.current = isFollowing || getDistanceToEnd(box) <= 1 || (hasComeDown && isNear(box))
    setAtEnd(atEnd.current)
    const entries = content.current.querySelectorAll<HTMLElement>('[data-entry]')
    const first = findFirstBelow(entries, element => topOf(element) + element.offsetHeight > 0)
    anchor.current = first ? { element: first, top: topOf(first) } : null
  }, [topOf])

  const settle = useCallback(() => {
    const box = scroller.current
    if (!box) return
    // A reader who has started to scroll up isn't pulled back, even before the scroll event fires.
    if (atEnd.current && hasScrolledUp(box, lastTop.current)) remember()
    const end = box.scrollHeight - box.clientHeight
    if (atEnd.current) {
      // Scroll only if the end moved: the reader may be about to click something near it.
      if (end !== lastEnd.current) box.scrollTop = end
    } else {
      if (anchor.current?.element.isConnected) {
        // Don't undo what the reader has scrolled before the scroll event fires.
        anchor.current.top -= box.scrollTop - lastTop.current
        box.scrollTop += topOf(anchor.current.element) - anchor.current.top
      }
      // The content grew below and out of view.
      setAtEnd(isNear(box))
    }
    lastEnd.current = end
    lastTop.current = box.scrollTop
  }, [topOf, remember])

  // Also whenever something grows without a render: an image, or text that loads late.
  useLayoutEffect(settle)
  useEffect(() => {
    const box = scroller.current
    if (!box || !content.current) return
    const observer = new ResizeObserver(settle)
    observer.observe(content.current)
    observer.observe(box)
    box.addEventListener('scroll', remember, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', remember)
    }
  }, [settle, remember])

  const toEnd = useCallback(() => {
    atEnd.current = true
    lastTop.current = 0
    lastEnd.current = -1
    setAtEnd(true)
    settle()
  }, [settle])
  const anchorAt = useCallback((element: HTMLElement, top: number) => {
    atEnd.current = false
    lastTop.current = scroller.current?.scrollTop ?? 0
    anchor.current = { element, top }
  }, [])
  const holdAt = useCallback((element: HTMLElement) => anchorAt(element, topOf(element)), [anchorAt, topOf])
  const showAt = useCallback(
    (element: HTMLElement, top: number) => {
      anchorAt(element, top)
      setAtEnd(false)
      settle()
    },
    [anchorAt, settle],
  )
  return { scroller, content, isAtEnd, settle, toEnd, holdAt, showAt }
}

const hasScrolledUp = (box: HTMLElement, from: number): boolean => box.scrollTop < from - 1

const getDistanceToEnd = (box: HTMLElement): number => box.scrollHeight - box.scrollTop - box.clientHeight

const isNear = (box: HTMLElement): boolean => getDistanceToEnd(box) <= NEAR_END

/** The first of the stacked elements for which the condition holds; it then holds for all that follow. */
function findFirstBelow(elements: NodeListOf<HTMLElement>, holds: (element: HTMLElement) => boolean) {
  let [low, high] = [0, elements.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const element = elements[middle]
    if (element && holds(element)) high = middle
    else low = middle + 1
  }
  return elements[low]
}
