/** What happens to a member's edits when the content under them is replaced. No edit is ever dropped silently. */

import {
  applySubmission,
  checkValues,
  editedFields,
  type FormDefinition,
  initialValues,
  type Json,
  type JsonObject,
  type Suggestion,
  type Values,
} from '@/form'

/** An edit to a field that the new content doesn't have; shown, to be copied by hand. */
export type LostEdit = { fieldId: string; value: Json }

export type MergedEdit = {
  values: Values
  /** Fields whose edits are kept, in the order of the fields. */
  kept: string[]
  /** Kept fields that the agent changed as well. */
  conflicting: string[]
  lost: LostEdit[]
}

/** The fields whose suggestion changed: other values, and fields that were added or removed. */
export function findChangedFields(form: FormDefinition, before: Suggestion, after: Suggestion): string[] {
  const differing = new Set(editedFields(form, before, after.values))
  return form.fields
    .filter(({ id, type }) => {
      const was = Object.hasOwn(before.values, id)
      const is = Object.hasOwn(after.values, id)
      return type !== 'label' && (was !== is || (was && differing.has(id)))
    })
    .map(({ id }) => id)
}

/** Moves edits to the content that replaced theirs. */
export function mergeEdit(
  form: FormDefinition,
  before: Suggestion,
  after: Suggestion,
  values: Values,
  trigger = false,
): MergedEdit {
  const invalid = findInvalidFields(form, before, values, trigger)
  const edits = editedFields(form, before, values).map(id => ({ fieldId: id, value: values[id] ?? null }))
  const carried = applyEdits(form, after, edits, trigger, invalid)
  const changed = new Set(findChangedFields(form, before, after))
  return { ...carried, conflicting: carried.kept.filter(id => changed.has(id)) }
}

/** Applies a draft of an older revision to the current one. The content that it was based on isn't known any more. */
export function mergeDraft(
  form: FormDefinition,
  after: Suggestion,
  data: JsonObject,
  trigger = false,
): MergedEdit {
  const everyField: Suggestion = {
    ...after,
    values: { ...Object.fromEntries(form.fields.map(field => [field.id, null])), ...after.values },
  }
  const values = applySubmission(form, everyField, data)
  const edits = editedFields(form, everyField, values).map(id => ({ fieldId: id, value: values[id] ?? null }))
  return { ...applyEdits(form, after, edits, trigger, new Set()), conflicting: [] }
}

/** `invalid`: fields that were invalid before, such as an incomplete number; their edits are kept as they are. */
function applyEdits(
  form: FormDefinition,
  after: Suggestion,
  edits: readonly LostEdit[],
  trigger: boolean,
  invalid: ReadonlySet<string>,
): Omit<MergedEdit, 'conflicting'> {
  const initial = initialValues(form, after)
  const shown = edits.filter(({ fieldId }) => Object.hasOwn(after.values, fieldId))
  const tried = { ...initial, ...Object.fromEntries(shown.map(({ fieldId, value }) => [fieldId, value])) }
  const refused = findInvalidFields(form, after, tried, trigger)
  const fits = ({ fieldId }: LostEdit) =>
    Object.hasOwn(after.values, fieldId) && (!refused.has(fieldId) || invalid.has(fieldId))
  const values = {
    ...initial,
    ...Object.fromEntries(edits.filter(fits).map(edit => [edit.fieldId, edit.value])),
  }
  return {
    values,
    // An edit that the agent made too isn't an edit any more.
    kept: editedFields(form, after, values),
    lost: edits.filter(edit => !fits(edit)),
  }
}

/** The fields whose values have the wrong type. Broken limits don't count: the member can fix those. */
function findInvalidFields(
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
  trigger: boolean,
): ReadonlySet<string> {
  const errors = checkValues(form, suggestion, values, trigger ? null : 'rejected')
  return new Set(errors.filter(({ code }) => !trigger || FORM_CODES.has(code)).map(({ fieldId }) => fieldId))
}

const FORM_CODES = new Set([
  'wrong_type',
  'not_editable',
  'unknown_option',
  'options_missing',
  'field_not_shown',
])
