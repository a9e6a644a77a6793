import type { Field, FormDefinition, Json, Suggestion } from '@/form'
import { valueInWords } from '@/form/value-in-words'

export const fieldOf = (form: FormDefinition, fieldId: string): Field | undefined =>
  form.fields.find(field => field.id === fieldId)

/** What somebody typed, to be put on the clipboard: each field's name and its value below. */
export function editsAsText(
  form: FormDefinition,
  edits: readonly { fieldId: string; value: Json }[],
  suggestion?: Suggestion,
): string {
  return edits
    .map(({ fieldId, value }) => {
      const field = fieldOf(form, fieldId)
      return field ? `${field.label}:\n${valueInWords(field, value, suggestion?.configs?.[fieldId])}` : ''
    })
    .filter(Boolean)
    .join('\n\n')
}
