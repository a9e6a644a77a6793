import { t } from '@lingui/core/macro'
import type { Field, FormDefinition, Json, Suggestion } from '@/form'
import { formatValue } from '@/form/format-value'
import { splitPath } from '@/form/paths'
import { formatUnmappedPath } from '@/form/unmapped'
import { formatList } from '@/lib/i18n'

export const getField = (form: FormDefinition, fieldId: string): Field | undefined =>
  form.fields.find(field => field.id === fieldId)

/** The labels of these fields as a list: `Headline, Tone, and Tags`. Fields that the form doesn't have are left out. */
export const getLabels = (form: FormDefinition, fieldIds: readonly string[]): string =>
  formatList(fieldIds.flatMap(fieldId => getField(form, fieldId)?.label ?? []))

/**
 * The place of an error that belongs to no field: `Reason`, or a property that no field shows, formatted as in the
 * form: `rows › 3 › sku`. Empty if neither means anything to a reviewer.
 */
export function formatPath(path: string): string {
  if (path === 'reason') return t`Reason`
  if (!path.startsWith('data.')) return ''
  return formatUnmappedPath(
    splitPath(path.slice('data.'.length)).flatMap(name => {
      const [, property = name, positions = ''] = /^(.*?)((?:\[\d+\])*)$/su.exec(name) ?? []
      return [property, ...Array.from(positions.matchAll(/\d+/g), ([position]) => Number(position))]
    }),
  )
}

/** Edits as text for the clipboard: each field's label, and its value below. */
export function formatEdits(
  form: FormDefinition,
  edits: readonly { fieldId: string; value: Json }[],
  suggestion?: Suggestion,
): string {
  return edits
    .map(({ fieldId, value }) => {
      const field = getField(form, fieldId)
      return field ? `${field.label}:\n${formatValue(field, value, suggestion?.configs?.[fieldId])}` : ''
    })
    .filter(Boolean)
    .join('\n\n')
}
