/**
 * A reviewer's changes to a suggestion. `tests/vectors/checks.json` keeps this in line with
 * `src/signoff/forms/submission.py`; the server has the final say.
 */

import { getMember, isObject, isSameJson } from './json'
import { splitPath } from './paths'
import { findHiddenTargets } from './rules'
import type {
  Field,
  FieldConfig,
  FieldError,
  FormDefinition,
  Json,
  JsonObject,
  Response,
  ResponseValues,
  Suggestion,
  Values,
} from './types'
import { checkValue, getValueType, tracksEdits } from './value-types'
import { getUnansweredValue, isChoice } from './value-types/choices'
import { checkChanges, isRepeated, matchItemFormat } from './value-types/repeated'
import { INVALID, NO_CONFIG, type ValueError } from './value-types/value-type'

export const getInitialValues = (form: FormDefinition, suggestion: Suggestion): Values =>
  Object.fromEntries(
    getShownFields(form, suggestion).map(field => [field.id, getSuggestedValue(suggestion, field)]),
  )

/** The fields that this review shows according to the request; rules may hide some of them. */
export const getShownFields = (form: FormDefinition, suggestion: Suggestion): Field[] =>
  form.fields.filter(field => Object.hasOwn(suggestion.values, field.id))

export const getFieldConfig = (suggestion: Suggestion, fieldId: string): FieldConfig =>
  suggestion.configs?.[fieldId] ?? NO_CONFIG

const getSuggestedValue = (suggestion: Suggestion, field: Field): Json => suggestion.values[field.id] ?? null

const getCurrentValue = (suggestion: Suggestion, values: Values, field: Field): Json =>
  Object.hasOwn(values, field.id) ? (values[field.id] as Json) : getSuggestedValue(suggestion, field)

const getFieldPlace = (field: Field): string => `data.${field.path}`

/** Whether a value differs from the suggested one: `"a "` differs from `"a"`, but `1.0` doesn't differ from `1`. */
export function isEdited(field: Field, value: Json, suggested: Json): boolean {
  const valueType = getValueType(field)
  if (isChoice(field) && valueType.isEmpty(value) && valueType.isEmpty(suggested)) return false
  return !isSameJson(value, suggested)
}

/** The IDs of the fields whose values differ from the suggestion, in the order of the fields. */
export const getEditedFields = (form: FormDefinition, suggestion: Suggestion, values: Values): string[] =>
  getShownFields(form, suggestion)
    .filter(field =>
      isEdited(field, getCurrentValue(suggestion, values, field), getSuggestedValue(suggestion, field)),
    )
    .map(field => field.id)

/**
 * Whether the reviewer can change the field. Fields of a trigger form, and those that the request shows empty, can be
 * filled in if nothing is suggested for them.
 */
export const isCorrectable = (
  field: Field,
  suggested: Json,
  trigger: boolean,
  config: FieldConfig = NO_CONFIG,
): boolean =>
  field.type !== 'label' &&
  (field.editable || ((trigger || config.empty === true) && getValueType(field).isEmpty(suggested)))

/** `values only` skips the checks, which walk long lists. */
type Purpose = Response | 'values only'

type ValidationResult = { entries: ResponseValues; errors: Map<string, FieldError[]> }

function validate(
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
  purpose: Purpose,
): ValidationResult {
  const entries: ResponseValues = {}
  const errors = new Map<string, FieldError[]>()
  for (const field of getShownFields(form, suggestion)) {
    const found: ValueError[] = []
    const suggested = getSuggestedValue(suggestion, field)
    const value = normalizeValue(
      field,
      getCurrentValue(suggestion, values, field),
      suggested,
      getFieldConfig(suggestion, field.id),
      found,
    )
    if (value !== INVALID) {
      const edited = isEdited(field, value, suggested)
      const correctable = isCorrectable(
        field,
        suggested,
        purpose === null,
        getFieldConfig(suggestion, field.id),
      )
      if (edited && !correctable) found.push({ path: getFieldPlace(field), code: 'not_editable' })
      else if (edited && isRepeated(field) && purpose !== 'values only')
        checkChanges(field, value, suggested, getFieldPlace(field), found)
      if ((purpose === 'approved' || purpose === null) && correctable)
        checkValue(field, value, getFieldConfig(suggestion, field.id), getFieldPlace(field), found)
      if (isChoice(field)) {
        entries[field.id] = { value: getValueType(field).isEmpty(value) ? getUnansweredValue(field) : value }
      } else if (tracksEdits(field)) {
        if (value !== null || edited) entries[field.id] = { value, wasEdited: edited }
      } else if (value !== null && field.type !== 'label') entries[field.id] = { value }
    }
    if (found.length > 0)
      errors.set(
        field.id,
        found.map(error => ({ fieldId: field.id, ...error })),
      )
  }
  return { entries, errors }
}

/** A value as the server would read it. Unchanged values were read when the request came. */
function normalizeValue(
  field: Field,
  value: Json,
  suggested: Json,
  config: FieldConfig,
  errors: ValueError[],
) {
  if (value === null) return suggested === null ? null : getValueType(field).cleared(field, suggested)
  if (isSameJson(value, suggested)) return suggested
  const read = getValueType(field).read(field, value, config, getFieldPlace(field), errors)
  return read !== INVALID && isRepeated(field) ? matchItemFormat(field, read, suggested) : read
}

/** The `responseValues` of a decision made now, without fields that rules hide. */
export function getResponseValues(
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
): ResponseValues {
  const { entries } = validate(form, suggestion, values, 'values only')
  const hidden = findHiddenTargets(form, entries)
  return Object.fromEntries(Object.entries(entries).filter(([id]) => !hidden.has(id)))
}

/** The fields and groups that rules hide for these values. */
export const getHiddenTargets = (
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
): ReadonlySet<string> =>
  form.rules.length === 0
    ? NOTHING_HIDDEN
    : findHiddenTargets(form, validate(form, suggestion, values, 'values only').entries)

const NOTHING_HIDDEN: ReadonlySet<string> = new Set()

/**
 * The errors that keep these values from being submitted, with the server's codes. Approving, or submitting a trigger
 * form (`null`), enforces the limits; rejecting requires only the right types. Hidden fields aren't checked.
 */
export function checkValues(
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
  response: Response,
): FieldError[] {
  const { entries, errors } = validate(form, suggestion, values, response)
  const hidden = findHiddenTargets(form, entries)
  return form.fields.flatMap(field => (hidden.has(field.id) ? [] : (errors.get(field.id) ?? [])))
}

/** `data` of a response or a draft: only changed values, each at its field's path; null clears. */
export function getSubmission(form: FormDefinition, suggestion: Suggestion, values: Values): JsonObject {
  const data: JsonObject = {}
  for (const field of getShownFields(form, suggestion)) {
    const value = getCurrentValue(suggestion, values, field)
    if (field.type !== 'label' && !isSameJson(value, getSuggestedValue(suggestion, field)))
      setAtPath(data, splitPath(field.path), value)
  }
  return data
}

function setAtPath(data: JsonObject, path: readonly string[], value: Json) {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) {
    data[name] = value
    return
  }
  const existing = getMember(data, name)
  const below = isObject(existing) ? existing : {}
  data[name] = below
  setAtPath(below, rest, value)
}

/**
 * The values after a submission: of a draft, or of a decided review's `data`. A value of the wrong type is kept as it
 * is, because a draft may be incomplete.
 */
export function applySubmission(form: FormDefinition, suggestion: Suggestion, data: Json): Values {
  const values = getInitialValues(form, suggestion)
  for (const field of getShownFields(form, suggestion)) {
    if (field.type === 'label') continue
    const given = getAtPath(data, splitPath(field.path))
    const suggested = getSuggestedValue(suggestion, field)
    if (given === undefined) continue
    // The options offered by the request: no choice was made.
    if (isChoice(field) && isObject(given)) continue
    const read =
      given === null
        ? getValueType(field).cleared(field, suggested)
        : normalizeValue(field, given, suggested, getFieldConfig(suggestion, field.id), [])
    values[field.id] = read === INVALID ? given : read
  }
  return values
}

/** The value at a path; undefined if there is none, null if null is on the way. */
function getAtPath(data: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = data
  for (const name of path) {
    if (!isObject(found)) return found === null ? null : undefined
    found = getMember(found, name)
  }
  return found
}
