import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Dialog } from '@/components/dialog'
import { INPUT } from '@/components/input'
import { classes } from '@/lib/classes'

/** A secret that can't be shown again, with a Copy button. */
export function SecretText({ label, text }: { label: string; text: string }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={text}
          onFocus={event => event.target.select()}
          className={classes(INPUT, 'h-8 min-w-0 flex-1 font-mono text-sm max-md:h-11')}
        />
        <Copy text={text} />
      </div>
    </div>
  )
}

/** Shows a secret once. A click outside the dialog doesn't close it. */
export function ShownOnce({
  title,
  label,
  text,
  children,
  onClose,
}: {
  title: string
  label: string
  text: string | null
  children: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog
      open={text !== null}
      firm
      onClose={onClose}
      title={title}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t`Done`}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <SecretText label={label} text={text ?? ''} />
        <div className="text-muted">{children}</div>
      </div>
    </Dialog>
  )
}
