import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import { toText } from './editor-props'
import { formatValue } from './format-value'
import { isTextual } from './textual'
import type { AnyField, FieldConfig, Json } from './types'
import { isRepeated } from './value-types/repeated'

const TextChange = lazyPart(() => import('./text-change'))

/** A member's change to the suggestion: marked in the text, or as before and after. */
export function Change({
  field,
  before,
  now,
  config,
}: {
  field: AnyField
  before: Json
  now: Json
  config: FieldConfig
}) {
  const byLine = isRepeated(field) || field.type === 'json' || field.type === 'code'
  const isLong = field.type !== 'date' && field.type !== 'datetime'
  return (
    <div className="mt-1 rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      {byLine || (isTextual(field) && isLong) ? (
        <Suspense fallback={<div className="h-5" />}>
          <TextChange
            before={byLine ? formatValue(field, before, config) : toText(before)}
            now={byLine ? formatValue(field, now, config) : toText(now)}
            byLine={byLine}
          />
        </Suspense>
      ) : (
        <BeforeAndAfter before={formatValue(field, before, config)} now={formatValue(field, now, config)} />
      )}
    </div>
  )
}

function BeforeAndAfter({ before, now }: { before: string; now: string }) {
  const suggested = (
    <del dir="auto" className="rounded bg-bad-soft px-1 text-bad">
      {before || <Nothing />}
    </del>
  )
  const entered = (
    <ins dir="auto" className="rounded bg-good-soft px-1 text-good no-underline">
      {now || <Nothing />}
    </ins>
  )
  return (
    <p className="[overflow-wrap:anywhere]">
      <Trans comment="Screen readers hear the words; others see the arrow in their place.">
        <span className="sr-only">Suggested: </span>
        {suggested}
        <span aria-hidden="true"> → </span>
        <span className="sr-only">, now: </span>
        {entered}
      </Trans>
    </p>
  )
}

const Nothing = () => t`Empty`
