import { plural, t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { extendReview, type Review, refetchReview, reviewKeys } from '@/api/review'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LabeledField, NativeSelect, TextArea } from '@/components/input'
import { ToggleChip } from '@/components/toggle-chip'
import { NumberInput } from '@/form'
import { formatDueOn } from '@/lib/due'
import { UNITS, type Unit } from '@/lib/durations'
import { formatNumber } from '@/lib/i18n'

/** As displayed, and as sent. */
const PRESETS: readonly [written: [number, 'hour' | 'day' | 'week'], amount: number, unit: Unit][] = [
  [[1, 'hour'], 1, 'hours'],
  [[4, 'hour'], 4, 'hours'],
  [[1, 'day'], 1, 'days'],
  [[3, 'day'], 3, 'days'],
  [[1, 'week'], 7, 'days'],
]
const MAX_MINUTES = 43_200

/** Postpones the next deadline step of a review, and with it all steps after it. */
export default function ExtendDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const form = useId()
  const client = useQueryClient()
  const [amount, setAmount] = useState<number | undefined>(1)
  const [unit, setUnit] = useState<Unit>('days')
  const [note, setNote] = useState('')
  const minutes = (amount ?? 0) * UNITS[unit]
  const isPossible = Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES
  const extension = useMutation({
    mutationFn: () => extendReview(review.reviewId, { minutes, ...(note.trim() && { note: note.trim() }) }),
    onSuccess: changed => {
      client.setQueryData(reviewKeys.review(review.reviewId), changed)
      onClose()
    },
    // Also after a failure: the review may have been decided in between.
    onSettled: () => void refetchReview(client, review.reviewId),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPossible) extension.mutate()
  }
  const { dueAt, dueAction } = review
  const from = Math.max(dueAt ? new Date(dueAt).getTime() : 0, Date.now())
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Extend deadline`}
      description={t`Postpones the next deadline step and all steps after it.`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} disabled={!isPossible} busy={extension.isPending}>
            {t`Extend deadline`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">{t`Extend by`}</legend>
          {PRESETS.map(([[count, written], offered, of]) => {
            const isChosen = amount === offered && unit === of
            return (
              <ToggleChip
                key={`${offered} ${of}`}
                chosen={isChosen}
                onClick={() => {
                  setAmount(offered)
                  setUnit(of)
                }}
              >
                {formatNumber(count, { style: 'unit', unit: written, unitDisplay: 'long' })}
              </ToggleChip>
            )
          })}
        </fieldset>
        <div className="flex items-end gap-2">
          <LabeledField label={t`Custom`} className="w-28">
            {attributes => <NumberInput {...attributes} min={1} value={amount} onChange={setAmount} />}
          </LabeledField>
          <NativeSelect
            aria-label={t`Unit`}
            value={unit}
            onChange={event => setUnit(event.target.value as Unit)}
            className="w-auto"
          >
            {(Object.keys(UNITS) as Unit[]).map(each => (
              <option key={each} value={each}>
                {getUnitName(each, amount ?? 0)}
              </option>
            ))}
          </NativeSelect>
        </div>
        <LabeledField label={t`Note (optional)`} help={t`Shown in the review's history.`}>
          {attributes => (
            <TextArea
              {...attributes}
              value={note}
              maxLength={10_000}
              onChange={event => setNote(event.target.value)}
              className="min-h-16 max-h-40"
            />
          )}
        </LabeledField>
        <p role="status" className="min-h-5 text-muted text-sm">
          {isPossible
            ? dueAction && formatDueOn(dueAction, from + minutes * 60_000)
            : t`Enter a duration between 1 minute and 30 days.`}
        </p>
        {extension.error && (
          <p role="alert" className="text-bad text-sm">
            {extension.error.message}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** The unit's name after a number that isn't part of the text. */
function getUnitName(unit: Unit, amount: number): string {
  if (unit === 'minutes') return t`${plural(amount, { one: 'minute', other: 'minutes' })}`
  if (unit === 'hours') return t`${plural(amount, { one: 'hour', other: 'hours' })}`
  return t`${plural(amount, { one: 'day', other: 'days' })}`
}
