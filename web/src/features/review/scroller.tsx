import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

/** A part of the page that scrolls by itself, also by the keyboard. */
export function Scroller({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable, or the keyboard cannot scroll it.
      tabIndex={0}
      className={classes('min-h-0 flex-1 overflow-y-auto -outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
