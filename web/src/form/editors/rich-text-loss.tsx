import { Undo2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Button } from '@/components/button'
import { Notice } from '@/components/status'
import { useApprovalNotice } from '../approval-notices'
import { elementNames, hasElement, lostByEditing, notShown } from './sanitise'

type Props = {
  label: string
  html: string
  /** What the agent sent. */
  original: string
  isEditing: boolean
  /** Puts the original back; absent where nothing can be changed. */
  onRestore?: () => void
}

/** What the page doesn't show of a formatted text, what editing would remove from it, and what editing has removed. */
export default function RichTextLoss({ label, html, original, isEditing, onRestore }: Props) {
  const atRisk = useMemo(() => lostByEditing(original), [original])
  const unseen = useMemo(() => notShown(original), [original])
  const removed = html === original ? [] : atRisk.filter(tag => !hasElement(html, tag))
  const hidden = unseen.filter(tag => hasElement(html, tag))
  const place = useRef<HTMLDivElement>(null)
  const show = () => place.current?.scrollIntoView({ block: 'center' })
  useApprovalNotice(
    removed.length === 0
      ? null
      : { level: 'confirm', text: `Removed from “${label}” by your edit: ${elementNames(removed)}`, show },
  )
  useApprovalNotice(
    hidden.length === 0
      ? null
      : { level: 'info', text: `Not shown in “${label}”: ${elementNames(hidden)}`, show },
  )
  return (
    <div ref={place} className="flex flex-col gap-2 empty:hidden">
      {removed.length > 0 && (
        <Notice
          tone="warn"
          actions={
            onRestore && (
              <Button size="small" icon={<Undo2 size={13} />} onClick={onRestore}>
                Restore original
              </Button>
            )
          }
        >
          Your edit removed content that the editor doesn't support: {elementNames(removed)}.
        </Notice>
      )}
      {isEditing && html === original && atRisk.length > 0 && (
        <Notice tone="warn">
          The editor doesn't support some of this content: {elementNames(atRisk)}. If you edit the text, that
          content is removed.
        </Notice>
      )}
      {!isEditing && hidden.length > 0 && (
        <p className="text-muted text-sm">
          Not shown here: {elementNames(hidden)}. It stays in the text unless you edit it.
        </p>
      )}
    </div>
  )
}
