import { ArchiveX, SearchX } from 'lucide-react'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Empty } from '@/components/status'
import { type Edit, editedIn } from './editing'
import { editsAsText } from './value-text'

/** Nothing is known yet. */
export function PaneSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-5 px-6 py-5">
      <span className="sr-only">Loading the review</span>
      {['w-1/2', 'w-1/3', 'w-full', 'w-4/5', 'w-2/3'].map(width => (
        <div key={width} className={`h-4 animate-pulse rounded bg-sunken ${width}`} />
      ))}
    </div>
  )
}

export function ReviewMissing({ onClose }: { onClose: () => void }) {
  return (
    <Empty
      icon={<SearchX size={28} />}
      title="There is no such review"
      as="h1"
      action={<Button onClick={onClose}>Back to the list</Button>}
    >
      The link may be mistyped, or the review was deleted.
    </Empty>
  )
}

/** It was there a moment ago. What was typed can still be copied. */
export function ReviewDeleted({ edit, onClose }: { edit: Edit | null; onClose: () => void }) {
  const edits = edit ? editedIn(edit).map(fieldId => ({ fieldId, value: edit.values[fieldId] ?? null })) : []
  return (
    <div role="alert">
      <Empty
        icon={<ArchiveX size={28} />}
        title="This review was deleted"
        as="h1"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {edit && edits.length > 0 && (
              <Copy text={editsAsText(edit.form, edits, edit.suggestion)} label="Copy what you typed" />
            )}
            <Button size="small" onClick={onClose}>
              Back to the list
            </Button>
          </span>
        }
      >
        It was removed while you had it open, so it cannot be decided any more.
      </Empty>
    </div>
  )
}
