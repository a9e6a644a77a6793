import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { Spinner } from '@/components/status'
import { SourceInput } from '@/form/editors/source-input'

/** Shows JSON in a dialog. Null: it's still loading. */
export function JsonDialog({
  open,
  onClose,
  title,
  text,
}: {
  open: boolean
  onClose: () => void
  title: string
  text: string | null
}) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<span id={`${id}-title`}>{title}</span>}
      width="large"
      actions={text !== null && <CopyButton text={text} label={t`Copy JSON`} />}
    >
      {text === null ? (
        <Spinner />
      ) : (
        <SourceInput text={text} language="json" attributes={{ id, 'aria-labelledby': `${id}-title` }} />
      )}
    </Dialog>
  )
}

/** Formats JSON on a single line; other text stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
