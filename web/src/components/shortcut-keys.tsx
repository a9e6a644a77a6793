import { classes } from '@/lib/classes'
import { getKeyNames } from '@/lib/shortcuts'

/** A key combination as it's printed on the keys. */
export function ShortcutKeys({ keys, className }: { keys: string; className?: string }) {
  return (
    // Its position follows the page direction, the order of the keys doesn't.
    <span className={classes('inline-flex', className)} aria-hidden="true">
      <span dir="ltr" className="inline-flex gap-0.5">
        {getKeyNames(keys).map(name => (
          <kbd
            key={name}
            className="min-w-5 rounded border border-current/25 px-1 text-center font-sans text-xs leading-4"
          >
            {name}
          </kbd>
        ))}
      </span>
    </span>
  )
}
