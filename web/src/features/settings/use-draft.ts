import { useEffect, useState } from 'react'
import { confirmBeforeClosing } from '@/lib/page-exit'
import { getOwnKey, readFromTab, storeInTab } from '@/lib/tab-storage'

const getStorageKey = (key: string) => getOwnKey(`settings.${key}`)

/** The saved settings with the member's unsaved changes, which survive going to another section and a reload. */
export function useDraft<T extends object>(key: string, saved: T) {
  const [changes, setChanges] = useState<Partial<T>>(() => readFromTab<Partial<T>>(getStorageKey(key)) ?? {})
  const dirty = (Object.keys(changes) as (keyof T)[]).some(name => changes[name] !== saved[name])
  useEffect(() => (dirty ? confirmBeforeClosing(() => true) : undefined), [dirty])
  const keep = (next: Partial<T>) => {
    storeInTab(getStorageKey(key), Object.keys(next).length > 0 ? next : null)
    return next
  }
  return {
    value: { ...saved, ...changes },
    dirty,
    change: (part: Partial<T>) => setChanges(keep({ ...changes, ...part })),
    forget: () => setChanges(keep({})),
    /** Drops the changes that were sent; changes made while saving remain unsaved. */
    forgetSaved: (sent: Partial<T>) =>
      setChanges(now => {
        const names = (Object.keys(now) as (keyof T)[]).filter(name => now[name] !== sent[name])
        return keep(Object.fromEntries(names.map(name => [name, now[name]])) as Partial<T>)
      }),
  }
}
