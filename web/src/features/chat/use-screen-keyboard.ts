import { type RefObject, useEffect, useRef } from 'react'

/** Whether there is no on-screen keyboard that covers the messages. */
export const hasHardwareKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

/** A member at a desktop who opens a chat is about to write. */
export function useFocusWithHardwareKeyboard(input: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    if (hasHardwareKeyboard()) input.current?.focus({ preventScroll: true })
  }, [input])
}

/** Keeps an element above the on-screen keyboard where it covers the page instead of resizing it. */
export function useScreenKeyboardPadding(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return
    const makeRoom = () => {
      if (!place.current) return
      // When zoomed in, the viewport is smaller for another reason.
      const covered = view.scale === 1 ? Math.max(0, window.innerHeight - view.height - view.offsetTop) : 0
      place.current.style.paddingBottom = covered > 0 ? `${covered}px` : ''
    }
    makeRoom()
    view.addEventListener('resize', makeRoom)
    view.addEventListener('scroll', makeRoom)
    return () => {
      view.removeEventListener('resize', makeRoom)
      view.removeEventListener('scroll', makeRoom)
    }
  }, [])
  return place
}
