import { useEffect, useState } from 'react'

/** A debounced value. */
export function useDebounced<T>(value: T, pause: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return later
}
