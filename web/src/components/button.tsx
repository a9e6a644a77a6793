import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { ShortcutKeys } from './shortcut-keys'
import { Tooltip } from './tooltip'

export type ButtonProps = ComponentProps<'button'> & {
  kind?: 'plain' | 'primary' | 'good' | 'bad' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
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
      className={classes('button', `button-${kind}`, `button-${size}`, className)}
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
export function IconButton({ label, icon, keys, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} keys={keys}>
      <Button {...rest} kind={kind} aria-label={label} className={classes('icon-button', className)}>
        {icon}
      </Button>
    </Tooltip>
  )
}
