import { t } from '@lingui/core/macro'
import { ArchiveX, SearchX } from 'lucide-react'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { EmptyState } from '@/components/status'
import { type Edit, getEditedFields } from './edit'
import { formatEdits } from './value-text'

/** Shown while the review is loading. */
export function PaneSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-5 px-6 py-5">
      <span className="sr-only">{t`Loading review…`}</span>
      {['w-1/2', 'w-1/3', 'w-full', 'w-4/5', 'w-2/3'].map(width => (
        <div key={width} className={`h-4 animate-pulse rounded bg-sunken ${width}`} />
      ))}
    </div>
  )
}

export function ReviewMissing({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={t`Review not found`}
      as="h1"
      action={<Button onClick={onClose}>{t`Back to list`}</Button>}
    >
      {t`Check the link. The review may have been deleted.`}
    </EmptyState>
  )
}

/** The review was deleted while it was open. The member's edits can still be copied. */
export function ReviewDeleted({ edit, onClose }: { edit: Edit | null; onClose: () => void }) {
  const edits = edit
    ? getEditedFields(edit).map(fieldId => ({ fieldId, value: edit.values[fieldId] ?? null }))
    : []
  return (
    <div role="alert">
      <EmptyState
        icon={<ArchiveX />}
        title={t`This review was deleted`}
        as="h1"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {edit && edits.length > 0 && (
              <CopyButton text={formatEdits(edit.form, edits, edit.suggestion)} label={t`Copy your edits`} />
            )}
            <Button size="small" onClick={onClose}>
              {t`Back to list`}
            </Button>
          </span>
        }
      >
        {t`It was deleted while you had it open, so you can't decide it anymore.`}
      </EmptyState>
    </div>
  )
}
