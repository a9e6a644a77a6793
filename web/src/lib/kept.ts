import { useState } from 'react'

/** A choice about how the page looks that the browser remembers. Where it may not, it lasts as long as the page. */
export function useKept<T extends string | number | boolean>(
  name: string,
  first: T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = read(name)
    return typeof kept === typeof first ? (kept as T) : first
  })
  const keep = (next: T) => {
    setValue(next)
    try {
      localStorage.setItem(name, JSON.stringify(next))
    } catch {
      // Full or switched off.
    }
  }
  return [value, keep]
}

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}
