import { useCallback, useLayoutEffect, useRef } from 'react'

/** A stable function that always calls the latest version. */
export function useLatest<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  return useCallback((...given: Arguments) => latest.current(...given), [])
}
