import { TriangleAlert } from 'lucide-react'
import type { Changes } from '@/api/forms/types'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { sentence } from '@/form'

/** Before a new version: what stays as it was, and what breaks. */
export function PublishDialog({
  changes,
  busy,
  onConfirm,
  onClose,
}: {
  changes: Changes
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const { breaking, compatible, openReviews, fromVersion } = changes
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Publish version ${fromVersion + 1}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={onConfirm} data-first-focus>
            Publish
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          {openReviews === 0
            ? 'No open review is on an older version.'
            : openReviews === 1
              ? '1 open review stays on the version that it was asked for with.'
              : `${openReviews.toLocaleString('en')} open reviews stay on the version that they were asked for with.`}{' '}
          New requests get the new version.
        </p>
        {breaking.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 font-medium text-warn">
              <TriangleAlert size={15} aria-hidden="true" /> This may break agents and receivers
            </h3>
            <ul className="mt-1 list-disc pl-6">
              {breaking.map(each => (
                <li key={`${each.kind} ${each.fieldId} ${each.message}`}>{sentence(each.message)}</li>
              ))}
            </ul>
          </section>
        )}
        {compatible.length > 0 && (
          <section>
            <h3 className="font-medium">What else changes</h3>
            <ul className="mt-1 list-disc pl-6 text-muted">
              {compatible.map(each => (
                <li key={`${each.kind} ${each.fieldId} ${each.message}`}>{sentence(each.message)}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}
