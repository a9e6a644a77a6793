import { useState } from 'react'

/** A choice about how the page looks that the browser remembers. Where it may not, it lasts as long as the page. */
export function useStoredSetting<T extends string | number | boolean>(
  name: string,
  first: T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = readSetting(name)
    return typeof kept === typeof first ? (kept as T) : first
  })
  const change = (next: T) => {
    setValue(next)
    storeSetting(name, next)
  }
  return [value, change]
}

export function storeSetting(name: string, value: string | number | boolean): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Full or switched off.
  }
}

export function readSetting(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}
