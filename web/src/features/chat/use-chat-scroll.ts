import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Who is so near to the end, in pixels, is at the end. */
const NEAR_END = 40

export type ChatScroll = {
  scroller: RefObject<HTMLElement | null>
  content: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  /** After every drawing of what is in it: what is read is put back to where it was. */
  settle: () => void
  toEnd: () => void
  /** What is about to change in size keeps its upper edge where it is. */
  holdAt: (element: HTMLElement) => void
  /** Has an element so far below the upper edge, in pixels. */
  showAt: (element: HTMLElement, top: number) => void
}

/**
 * Keeps what is read where it is. At the end the newest stays in sight, however it grows; further up nothing moves,
 * whatever comes above or below.
 */
export function useChatScroll(): ChatScroll {
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<{ element: HTMLElement; top: number } | null>(null)
  /** Where the page was scrolled to when it was last known. */
  const lastTop = useRef(0)
  /** The furthest one could scroll to at that time. */
  const lastEnd = useRef(-1)
  const [isAtEnd, setAtEnd] = useState(true)

  const topOf = useCallback((element: Element): number => {
    const box = scroller.current
    return box ? element.getBoundingClientRect().top - box.getBoundingClientRect().top : 0
  }, [])

  const remember = useCallback(() => {
    const box = scroller.current
    if (!box || !content.current) return
    // Whoever was at the end and has not gone up still is: what grew since is about to be followed.
    const hasLeft = atEnd.current && hasGoneUp(box, lastTop.current)
    const isFollowing = atEnd.current && !hasLeft
    // Near is near enough for whoever comes down; whoever goes up is not pulled back.
    const hasComeDown = !hasLeft && box.scrollTop >= lastTop.current
    // Going up in the smallest steps is going up, too.
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
    // Whoever has begun to scroll up is not pulled back, though the event that says so is still to come.
    if (atEnd.current && hasGoneUp(box, lastTop.current)) remember()
    const end = box.scrollHeight - box.clientHeight
    if (atEnd.current) {
      // Nothing moves unless the end did: somebody may be about to click what is near it.
      if (end !== lastEnd.current) box.scrollTop = end
    } else {
      if (anchor.current?.element.isConnected) {
        // What the reader has scrolled, though the event that says so is still to come, is not undone.
        anchor.current.top -= box.scrollTop - lastTop.current
        box.scrollTop += topOf(anchor.current.element) - anchor.current.top
      }
      // What grew below is out of sight now.
      setAtEnd(isNear(box))
    }
    lastEnd.current = end
    lastTop.current = box.scrollTop
  }, [topOf, remember])

  // Also whenever something grows by itself: a picture, text that was loaded late.
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

const hasGoneUp = (box: HTMLElement, from: number): boolean => box.scrollTop < from - 1

const getDistanceToEnd = (box: HTMLElement): number => box.scrollHeight - box.scrollTop - box.clientHeight

const isNear = (box: HTMLElement): boolean => getDistanceToEnd(box) <= NEAR_END

/** Of elements one below the other the first for which it holds: it then holds for all that follow. */
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
