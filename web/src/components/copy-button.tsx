import { t } from '@lingui/core/macro'
import { Check, Copy as CopyIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { classes } from '@/lib/classes'
import { copyText, manualCopy } from '@/lib/clipboard'
import { isMac } from '@/lib/shortcuts'
import { Button } from './button'
import { Dialog } from './dialog'

const COPIED_MS = 1_500

/** Copies a text; `copied` is true for a moment afterward. If the browser refuses, `ManualCopy` takes over. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = useCallback(async (text: string) => {
    if (!(await copyText(text))) return
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), COPIED_MS)
  }, [])
  return { copied, copy }
}

export function CopyButton({
  text,
  label = t`Copy`,
  onCopy,
}: {
  text: string
  label?: string
  onCopy?: () => void
}) {
  const { copied, copy } = useCopy()
  return (
    <Button
      size="small"
      icon={copied ? <Check /> : <CopyIcon />}
      onClick={() => {
        onCopy?.()
        void copy(text)
      }}
    >
      <span aria-live="polite">{copied ? t`Copied` : label}</span>
    </Button>
  )
}

/** Shows the text that couldn't be copied, selected. Once per page; every copy button uses it. */
export function ManualCopy() {
  const text = useSyncExternalStore(manualCopy.subscribe, manualCopy.get)
  const close = () => manualCopy.set(null)
  return (
    <Dialog
      open={text !== null}
      onClose={close}
      title={t`Copy this text`}
      description={t`Your browser blocked copying. The text is selected: press ${{ keys: isMac ? '⌘C' : 'Ctrl+C' }}, or touch and hold it, then choose Copy.`}
      actions={<Button onClick={close}>{t`Close`}</Button>}
    >
      <textarea
        readOnly
        aria-label={t`Text to copy`}
        data-first-focus
        value={text ?? ''}
        rows={Math.min(12, (text ?? '').split('\n').length + 1)}
        onFocus={event => event.target.select()}
        className={classes('input block w-full resize-none p-2 font-mono text-sm')}
      />
    </Dialog>
  )
}
