import { useEffect, useState } from 'react'
import { askBeforeClosing } from '@/lib/leaving'

/** Unsaved changes outlive a look at another section; a reload forgets them, after the browser has asked. */
const kept = new Map<string, object>()

/** What is saved, with what somebody changed and has not saved yet laid over it. */
export function useDraft<T extends object>(key: string, saved: T) {
  const [changes, setChanges] = useState<Partial<T>>(() => (kept.get(key) as Partial<T> | undefined) ?? {})
  const dirty = (Object.keys(changes) as (keyof T)[]).some(name => changes[name] !== saved[name])
  useEffect(() => (dirty ? askBeforeClosing(() => true) : undefined), [dirty])
  const keep = (next: Partial<T>) => {
    kept.set(key, next)
    setChanges(next)
  }
  return {
    value: { ...saved, ...changes },
    dirty,
    change: (part: Partial<T>) => keep({ ...changes, ...part }),
    forget: () => keep({}),
    /** What was sent is saved; what was changed while it was on its way is still a change. */
    forgetSaved: (sent: Partial<T>) =>
      setChanges(now => {
        const names = (Object.keys(now) as (keyof T)[]).filter(name => now[name] !== sent[name])
        const left = Object.fromEntries(names.map(name => [name, now[name]])) as Partial<T>
        kept.set(key, left)
        return left
      }),
  }
}
