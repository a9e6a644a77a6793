import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

type ToggleChipProps = Omit<ComponentProps<'button'>, 'aria-pressed'> & { chosen: boolean }

/** One of several things to choose from. */
export function ToggleChip({ chosen, className, ...rest }: ToggleChipProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={chosen}
      className={classes(
        'h-7 min-w-11 max-w-60 truncate rounded-full border px-2.5 text-sm pointer-coarse:min-h-11',
        chosen
          ? 'border-accent bg-accent-soft font-medium text-accent'
          : 'border-line text-muted hover:bg-sunken',
        className,
      )}
    />
  )
}
