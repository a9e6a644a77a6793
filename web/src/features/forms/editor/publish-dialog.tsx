import { plural, t } from '@lingui/core/macro'
import { TriangleAlert } from 'lucide-react'
import type { Changes } from '@/api/forms/types'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { formatNumber, toSentence } from '@/lib/i18n'

const FIRST_VERSION = { breaking: [], compatible: [], openReviews: 0, fromVersion: 0 } satisfies Changes

/** The server stops counting here. */
const MAX_COUNTED = 10_000

function getPendingReviewsText(count: number): string {
  if (count >= MAX_COUNTED) {
    const most = formatNumber(MAX_COUNTED)
    return t`${most}+ pending reviews keep the version they were created with. New requests use the new version.`
  }
  return plural(count, {
    0: 'There are no pending reviews. New requests use the new version.',
    one: '# pending review keeps the version it was created with. New requests use the new version.',
    other: '# pending reviews keep the version they were created with. New requests use the new version.',
  })
}

/** Shown before a new version: what stays compatible and what breaks. The first version has no changes. */
export function PublishDialog({
  changes,
  busy,
  onConfirm,
  onClose,
}: {
  changes: Changes | null
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const { breaking, compatible, openReviews, fromVersion } = changes ?? FIRST_VERSION
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Publish version ${{ version: formatNumber(fromVersion + 1) }}?`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" busy={busy} onClick={onConfirm} data-first-focus>
            {t`Publish`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          {changes === null
            ? t`Agents can use this review type as soon as you publish it.`
            : getPendingReviewsText(openReviews)}
        </p>
        {breaking.length > 0 && (
          <section>
            <h3 className="flex items-center gap-1.5 font-medium text-warn">
              <TriangleAlert />
              {t`These changes may break agents and webhooks`}
            </h3>
            <ul className="mt-1 list-disc ps-6">
              {breaking.map(each => (
                <li key={`${each.kind} ${each.fieldId} ${each.message}`}>{toSentence(each.message)}</li>
              ))}
            </ul>
          </section>
        )}
        {compatible.length > 0 && (
          <section>
            <h3 className="font-medium">{t`Other changes`}</h3>
            <ul className="mt-1 list-disc ps-6 text-muted">
              {compatible.map(each => (
                <li key={`${each.kind} ${each.fieldId} ${each.message}`}>{toSentence(each.message)}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}
