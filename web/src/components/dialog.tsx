import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { classes } from '@/lib/classes'
import { Button, IconButton } from './button'

const WIDTHS = { small: 'max-w-md', medium: 'max-w-2xl', large: 'max-w-5xl' } as const

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** Buttons, in reading order. */
  actions?: ReactNode
  width?: keyof typeof WIDTHS
  /** Neither Escape nor a click outside closes it, because what it shows or holds would be lost. Its buttons do. */
  firm?: boolean
  /** False: only its own action closes it. It hides the page below, which may belong to someone else by now. */
  closable?: boolean
}

const FIRST_FOCUS =
  '[data-first-focus], input:not([readonly]):not([type=hidden]):not(:disabled), textarea, select'

/** Focuses the first field, not the close button, which isn't what the dialog is about. */
function focusFirstControl(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  const field = event.currentTarget.querySelector<HTMLElement>(FIRST_FOCUS)
  ;(field ?? event.currentTarget).focus()
}

/** A dialog over the page; a bottom sheet on a phone. Escape and a click outside close it, unless it's `firm`. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  width = 'small',
  firm = false,
  closable = true,
}: DialogProps) {
  const opener = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={stays => !stays && onClose()}>
      <Radix.Portal>
        <Radix.Overlay
          className={classes('fixed inset-0 z-40 bg-black/40', !closable && 'backdrop-blur-md')}
        />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onPointerDownOutside={event => firm && event.preventDefault()}
          onEscapeKeyDown={event => firm && event.preventDefault()}
          onOpenAutoFocus={event => {
            opener.current = document.activeElement
            focusFirstControl(event)
          }}
          // The dialog has no trigger to which the library could return focus.
          onCloseAutoFocus={event => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          className={classes(
            'fixed z-40 flex max-h-[88dvh] w-full flex-col overflow-hidden bg-raised shadow-float outline-none',
            'inset-x-0 mx-auto max-sm:bottom-0 max-sm:rounded-t-xl sm:top-[8dvh] sm:w-[calc(100%-2rem)] sm:rounded-xl',
            WIDTHS[width],
            'max-sm:max-w-none',
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>
              )}
            </div>
            {closable && (
              <Radix.Close asChild>
                <IconButton
                  label={t`Close`}
                  icon={<X />}
                  size="small"
                  className="pointer-coarse:-mt-2 pointer-coarse:-me-3"
                />
              </Radix.Close>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {actions !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3 max-sm:flex-col-reverse max-sm:[&>button]:w-full">
              {actions}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export type ConfirmProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  children?: ReactNode
  confirm: string
  onConfirm: () => void
  busy?: boolean
  kind?: 'primary' | 'bad'
}

/** Asks for confirmation before something that can't be undone. */
export function Confirm({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  busy,
  kind = 'bad',
}: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose} data-first-focus={kind === 'bad' || undefined}>
            {t`Cancel`}
          </Button>
          <Button kind={kind} busy={busy} onClick={onConfirm} data-first-focus={kind !== 'bad' || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
