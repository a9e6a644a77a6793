import { classes } from '@/lib/classes'
import { keyNames } from '@/lib/shortcuts'

/** A combination of keys as it is printed on them. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  return (
    <span dir="ltr" className={classes('inline-flex gap-0.5', className)} aria-hidden="true">
      {keyNames(keys).map(name => (
        <kbd
          key={name}
          className="min-w-5 rounded border border-current/25 px-1 text-center font-sans text-xs leading-4"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}
