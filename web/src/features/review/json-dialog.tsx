import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { Spinner } from '@/components/status'
import { SourceInput } from '@/form/editors/source-input'

/** Something as JSON, in a window of its own. Null: it is still being read. */
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
        <SourceInput text={text} language="json" ties={{ id, 'aria-labelledby': `${id}-title` }} />
      )}
    </Dialog>
  )
}

/** JSON that came in one line is laid out; anything else is shown as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
