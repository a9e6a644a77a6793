import { t } from '@lingui/core/macro'
import { Undo2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Button } from '@/components/button'
import { Notice } from '@/components/status'
import { useApprovalNotice } from '../approval-notices'
import { elementNames } from './element-names'
import { findHiddenTags, findLostTags, hasElement } from './sanitize'

type Props = {
  label: string
  html: string
  /** The agent's value. */
  original: string
  isEditing: boolean
  /** Restores the original; absent if the field is read-only. */
  onRestore?: () => void
}

/** Elements of a formatted text that the page doesn't show, that editing would remove, and that editing has removed. */
export default function RichTextLoss({ label, html, original, isEditing, onRestore }: Props) {
  const atRisk = useMemo(() => findLostTags(original), [original])
  const unseen = useMemo(() => findHiddenTags(original), [original])
  const removed = html === original ? [] : atRisk.filter(tag => !hasElement(html, tag))
  const hidden = unseen.filter(tag => hasElement(html, tag))
  const place = useRef<HTMLDivElement>(null)
  const show = () => place.current?.scrollIntoView({ block: 'center' })
  useApprovalNotice(
    removed.length === 0
      ? null
      : {
          level: 'confirm',
          text: t`Your edit removed this from “${label}”: ${{ elements: elementNames(removed) }}`,
          show,
        },
  )
  useApprovalNotice(
    hidden.length === 0
      ? null
      : { level: 'info', text: t`Not shown in “${label}”: ${{ elements: elementNames(hidden) }}`, show },
  )
  return (
    <div ref={place} className="flex flex-col gap-2 empty:hidden">
      {removed.length > 0 && (
        <Notice
          tone="warn"
          actions={
            onRestore && (
              <Button size="small" icon={<Undo2 />} onClick={onRestore}>
                {t`Restore original`}
              </Button>
            )
          }
        >
          {t`Your edit removed content that the editor doesn't support: ${{ elements: elementNames(removed) }}.`}
        </Notice>
      )}
      {isEditing && html === original && atRisk.length > 0 && (
        <Notice tone="warn">
          {t`The editor doesn't support some of this content: ${{ elements: elementNames(atRisk) }}. If you edit the text, that content is removed.`}
        </Notice>
      )}
      {!isEditing && hidden.length > 0 && (
        <p className="text-muted text-sm">
          {t`Not shown here: ${{ elements: elementNames(hidden) }}. This content stays unless you edit the text.`}
        </p>
      )}
    </div>
  )
}
