import { t } from '@lingui/core/macro'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '@/components/button'
import { CopyButton, useCopy } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { Notice } from '@/components/status'
import { classes } from '@/lib/classes'

/** A secret that can't be shown again, with a Copy button. */
export function SecretText({
  label,
  text,
  onCopy,
}: {
  label: string
  text: string
  /** With the button, or by selecting the text. */
  onCopy?: () => void
}) {
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
          onCopy={onCopy}
          className={classes('input input-line min-w-0 flex-1 font-mono text-sm')}
        />
        <CopyButton text={text} onCopy={onCopy} />
      </div>
    </div>
  )
}

type Props = { title: string; label: string; text: string; children: ReactNode; onClose: () => void }

/** Shows a secret once. A click outside the dialog doesn't close it, and closing it uncopied asks once. */
export function SecretDialog({ text, ...rest }: Omit<Props, 'text'> & { text: string | null }) {
  return text === null ? null : <Shown key={text} text={text} {...rest} />
}

function Shown({ title, label, text, children, onClose }: Props) {
  const [copied, setCopied] = useState(false)
  const [asking, setAsking] = useState(false)
  const { copy } = useCopy()
  // A second click on Close must not confirm the question that the first one opened.
  const close = () => (copied ? onClose() : setAsking(true))
  const copyNow = () => {
    setCopied(true)
    void copy(text)
  }
  const warns = asking && !copied
  return (
    <Dialog
      open
      firm
      onClose={close}
      title={title}
      actions={
        warns ? (
          <>
            <Button onClick={onClose}>{t`Close without copying`}</Button>
            {/* In the place of Done, so that a double click there copies. */}
            <Button kind="primary" onClick={copyNow}>
              {t`Copy`}
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={close}>
            {t`Done`}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <SecretText label={label} text={text} onCopy={() => setCopied(true)} />
        <div className="text-muted">{children}</div>
        {warns && (
          <div role="alert">
            <Notice tone="warn" icon={<TriangleAlert />}>
              {t`You haven't copied this yet. You won't be able to see it again after you close this dialog.`}
            </Notice>
          </div>
        )}
      </div>
    </Dialog>
  )
}
