import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { ShortcutKeys } from './shortcut-keys'
import { Tooltip } from './tooltip'

const KINDS = {
  plain: 'border border-line bg-surface hover:bg-sunken text-ink',
  primary: 'bg-accent-solid text-white hover:brightness-110',
  good: 'bg-good-solid text-white hover:brightness-110',
  bad: 'bg-bad-solid text-white hover:brightness-110',
  quiet: 'text-muted hover:bg-sunken hover:text-ink',
  danger: 'border border-line bg-surface text-bad hover:bg-bad-soft',
} as const

const SIZES = {
  small: 'icon-small h-7 gap-1.5 px-2 text-sm',
  medium: 'icon-medium h-8 gap-2 px-3 text-base',
  large: 'icon-medium h-11 gap-2 px-4 text-lg',
} as const

export type ButtonProps = ComponentProps<'button'> & {
  kind?: keyof typeof KINDS
  size?: keyof typeof SIZES
  icon?: ReactNode
  /** A shortcut, shown after the label. */
  keys?: string
  /** The action is in progress. */
  busy?: boolean
  /** Does nothing for now, but keeps focus, which a disabled button would lose. */
  locked?: boolean
}

export function Button({
  kind = 'plain',
  size = 'medium',
  icon,
  keys,
  busy,
  locked,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(locked && { 'aria-disabled': true, onClick: prevented })}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classes(
        'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md font-medium transition-[color,background-color,border-color,opacity] duration-75 disabled:cursor-not-allowed disabled:opacity-55 pointer-coarse:min-h-11 aria-disabled:cursor-default aria-disabled:opacity-55 aria-disabled:brightness-100',
        KINDS[kind],
        SIZES[size],
        className,
      )}
    >
      {icon}
      {children}
      {keys !== undefined && <ShortcutKeys keys={keys} className="max-md:hidden" />}
    </button>
  )
}

const prevented = (event: MouseEvent) => event.preventDefault()

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: ReactNode }

/** An icon button: its label is read out, and shown on hover. */
export function IconButton({
  label,
  icon,
  keys,
  kind = 'quiet',
  size = 'medium',
  className,
  ...rest
}: IconButtonProps) {
  const square = { small: 'w-7', medium: 'w-8', large: 'w-11' }[size]
  return (
    <Tooltip label={label} keys={keys}>
      <Button
        {...rest}
        kind={kind}
        size={size}
        aria-label={label}
        className={classes('px-0! pointer-coarse:min-w-11', square, className)}
      >
        {icon}
      </Button>
    </Tooltip>
  )
}
