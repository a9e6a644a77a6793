import { useState } from 'react'

/** A display setting that the browser remembers. If storage is disabled, it lasts as long as the page. */
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

/** Null as a name: nothing is read or stored. */
export function storeSetting(name: string | null, value: unknown): void {
  if (name === null) return
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The storage is full or disabled.
  }
}

export function readSetting(name: string | null): unknown {
  if (name === null) return null
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}
