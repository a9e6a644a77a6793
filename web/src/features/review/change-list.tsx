import type { ReactNode } from 'react'
import type { FormDefinition, Json, Suggestion } from '@/form'
import { Change as ValueChange } from '@/form/change'
import { getField } from './value-text'

export type Change = { fieldId: string; before: Json; after: Json }

/** The changes field by field, each with its actions. */
export function ChangeList({
  form,
  changes,
  configs,
  action,
}: {
  form: FormDefinition
  changes: readonly Change[]
  configs?: Suggestion['configs']
  action?: (fieldId: string) => ReactNode
}) {
  return (
    <dl className="flex flex-col gap-2">
      {changes.map(({ fieldId, before, after }) => {
        const field = getField(form, fieldId)
        if (!field) return null
        return (
          <div key={fieldId}>
            <dt className="flex min-h-7 flex-wrap items-center gap-x-2 text-sm">
              <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                {field.label}
              </span>
              {action?.(fieldId)}
            </dt>
            <dd>
              <ValueChange field={field} before={before} now={after} config={configs?.[fieldId] ?? {}} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The changes between two revisions. A field that was added or removed has a value on one side only. */
export const getChanges = (fieldIds: readonly string[], before: Suggestion, after: Suggestion): Change[] =>
  fieldIds.map(fieldId => ({
    fieldId,
    before: before.values[fieldId] ?? null,
    after: after.values[fieldId] ?? null,
  }))
