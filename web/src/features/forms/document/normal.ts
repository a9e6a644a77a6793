/** The definition as the form engine takes it, with all defaults written out. */

import type { Field, FormDefinition } from '@/form/types'
import { FIELD_TYPES } from './field-types'
import type { EditorField, WrittenForm } from './types'

export const normalizeForm = (form: WrittenForm): FormDefinition & Pick<WrittenForm, 'translations'> => ({
  formId: 'preview',
  version: 1,
  name: form.name,
  titleField: form.titleField,
  width: form.width,
  fields: form.fields.map(normalizeField) as unknown as Field[],
  layout: form.layout ?? [],
  rules: form.rules,
  translations: form.translations,
})

function normalizeField(field: EditorField): EditorField {
  const defaults = Object.fromEntries(
    FIELD_TYPES[field.type].settings.flatMap(setting =>
      setting.default === undefined ? [] : [[setting.name, setting.default]],
    ),
  )
  const normal: EditorField = { ...defaults, path: field.id, label: field.id, ...field }
  for (const name of ['item', 'columns']) {
    const children = normal[name]
    if (!Array.isArray(children)) continue
    const inner = (children as unknown as EditorField[]).map(normalizeField)
    normal[name] = inner as never
    normal.editable = field.editable ?? inner.some(child => child.editable === true)
  }
  return normal
}
