import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useFormName } from '@/api/forms/names'
import { reviewQueries } from '@/api/review'
import type { ReviewRow } from '@/api/review-filters'
import { Button, IconButton } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'
import { formatNumber } from '@/lib/i18n'
import type { LocalDrafts } from './own-edits'
import { getSelectedType, isSelectable, MAX_SELECTED } from './selection'
import type { SelectionControl } from './use-selection'

const DecideDialog = lazyPart(async () => ({ default: (await import('./decide-dialog')).DecideDialog }))

type Props = {
  selection: SelectionControl
  rows: readonly ReviewRow[]
  localDrafts: LocalDrafts
  onStop: () => void
}
type BulkDecision = { rows: ReviewRow[]; response: 'approved' | 'rejected' }

/** The element with the reason why reviews of other types can't be selected, and the reason. */
export const ONE_TYPE_ID = 'selection-one-type'
export const getOneTypeText = (): string => t`You can only decide reviews of one type at a time.`

/** The actions for the selected reviews. */
export function SelectionBar({ selection, rows, localDrafts, onStop }: Props) {
  const [deciding, setDeciding] = useState<BulkDecision | null>(null)
  const stop = () => setDeciding(null)
  const chosen = selection.selection
  const type = getSelectedType(chosen)
  const nameOf = useFormName()
  const isFilledIn = useIsFilled([...chosen.rows.keys()][0])
  const hasOtherTypes = rows.some(row => isSelectable(row) && selection.isOtherType(row))
  const begin = (response: BulkDecision['response']) =>
    setDeciding({ rows: [...chosen.rows.values()], response })
  const more = type
    ? rows.filter(row => row.formId === type.formId && isSelectable(row)).length - chosen.rows.size
    : 0
  return (
    <>
      {type && (
        <section
          aria-label={t`Selected reviews`}
          className="flex flex-col gap-2 border-line border-t bg-raised px-3 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]"
        >
          <div className="flex items-center gap-2">
            <p role="status" className="min-w-0 flex-1 truncate">
              <strong className="font-semibold">
                {t`${{ count: formatNumber(chosen.rows.size) }} selected`}
              </strong>
              <span className="text-muted">
                {' · '}
                <bdi>{nameOf(type)}</bdi>
              </span>
            </p>
            {more > 0 && chosen.rows.size < MAX_SELECTED && (
              <Button
                kind="quiet"
                size="small"
                title={t`Selects all loaded reviews of this type, up to ${{ max: formatNumber(MAX_SELECTED) }}`}
                onClick={() => selection.addAll(rows)}
              >
                {t`Select ${{ count: formatNumber(Math.min(more, MAX_SELECTED - chosen.rows.size)) }} more`}
              </Button>
            )}
            <IconButton
              label={t`Clear selection`}
              keys="Escape"
              icon={<X />}
              size="small"
              onClick={() => {
                selection.clear()
                onStop()
              }}
            />
          </div>
          {hasOtherTypes && (
            <p id={ONE_TYPE_ID} className="text-muted text-sm">
              {getOneTypeText()}
            </p>
          )}
          {isFilledIn ? (
            <p className="text-muted text-sm">
              {t`These reviews can only be submitted, not approved or rejected. Open them one at a time.`}
            </p>
          ) : (
            <div className="flex flex-wrap gap-1.5">
              <Button kind="good" icon={<Check />} onClick={() => begin('approved')}>
                {t`Approve…`}
              </Button>
              <Button kind="danger" icon={<X />} onClick={() => begin('rejected')}>
                {t`Reject…`}
              </Button>
            </div>
          )}
        </section>
      )}
      {deciding && (
        <Suspense fallback={<LoadingDialog title={t`Decide reviews`} onClose={stop} />}>
          <DecideDialog {...deciding} localDrafts={localDrafts} onClose={stop} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the review's type is a trigger form. Lists don't say; the review itself does. */
function useIsFilled(reviewId: string | undefined): boolean {
  const review = useQuery({ ...reviewQueries.review(reviewId ?? ''), enabled: reviewId !== undefined })
  return review.data?.trigger === true
}
