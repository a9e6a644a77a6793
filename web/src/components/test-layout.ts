import { afterEach, beforeEach, vi } from 'vitest'

export const ROW = 36

/**
 * Searchable lists render the rows that fit, so they need a layout, which the tests' browser doesn't have: here, eight
 * rows fit. Call it once per file. Returns a mock of `scrollTo`.
 */
export function setUpLayout() {
  const scrollTo = vi.fn()
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(8 * ROW)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW)
    class NoResizes {
      observe() {}
      unobserve() {}
      disconnect() {}
    }
    vi.stubGlobal('ResizeObserver', NoResizes)
    Element.prototype.scrollTo = scrollTo.mockClear()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  return scrollTo
}
