import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import { textOf } from './editor-props'
import { isRepeated } from './shapes/repeated'
import { isTextual } from './textual'
import type { AnyField, FieldConfig, Json } from './types'
import { valueInWords } from './value-in-words'

const TextChange = lazyPart(() => import('./text-change'))

/** What a person made of the suggestion: marked in the text, or what it was and what it is now. */
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
            before={byLine ? valueInWords(field, before, config) : textOf(before)}
            now={byLine ? valueInWords(field, now, config) : textOf(now)}
            byLine={byLine}
          />
        </Suspense>
      ) : (
        <p className="[overflow-wrap:anywhere]">
          <span className="sr-only">Suggested: </span>
          <del className="rounded bg-bad-soft px-1 text-bad">
            {valueInWords(field, before, config) || 'Empty'}
          </del>
          <span aria-hidden="true"> → </span>
          <span className="sr-only">Now: </span>
          <ins className="rounded bg-good-soft px-1 text-good no-underline">
            {valueInWords(field, now, config) || 'Empty'}
          </ins>
        </p>
      )}
    </div>
  )
}
