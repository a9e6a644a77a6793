import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

/** A scrollable part of the page, also by keyboard. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
      tabIndex={0}
      className={classes('min-h-0 flex-1 overflow-y-auto -outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
