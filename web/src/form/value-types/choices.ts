/** Selectable fields. A single choice is an option's ID; a multiple one is an array of `{id, label}`. */

import { FIELD_TYPES } from '@/api/field-types'
import { getMember, isObject } from '../json'
import type { AnyField, FieldConfig, FieldOf, Json, Option } from '../types'
import { INVALID, type ReadResult, type ValueError, type ValueType, wrongType } from './value-type'

export type ChoiceField = FieldOf<'buttons' | 'checkboxes' | 'dropdown'>

const getValue = (field: AnyField) => FIELD_TYPES[field.type].value

export const isChoice = (field: AnyField): field is ChoiceField =>
  getValue(field) === 'choice' || getValue(field) === 'choices'

export const isMultiple = (field: ChoiceField): boolean =>
  getValue(field) === 'choices' || ('multiple' in field && field.multiple)

export const getMaxOptions = (field: ChoiceField): number => FIELD_TYPES[field.type].limits.maxItems

/** The value in `responseValues` for a choice that is shown and not made. */
export const getUnansweredValue = (field: ChoiceField): Json => (isMultiple(field) ? [] : null)

/** The effective options: those of the request take precedence over the fixed ones. */
export const getOptions = (field: ChoiceField, config: FieldConfig): readonly Option[] | null =>
  config.options ?? field.options ?? null

/** The IDs of the selected options, in either format of the value. */
export function getChosenIds(value: Json): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.flatMap(entry => {
    const id = isObject(entry) ? getMember(entry, 'id') : entry
    return typeof id === 'string' ? [id] : []
  })
}

/** The value for these options, in the order of the options, so that the same selection is always the same value. */
export function toChoiceValue(
  field: ChoiceField,
  options: readonly Option[],
  ids: readonly string[],
  before: Json,
): Json {
  const chosen = new Set(ids)
  const entries = options.filter(option => chosen.has(option.id))
  if (!isMultiple(field)) return entries[0]?.id ?? null
  if (entries.length === 0) return choice.cleared(field, before)
  return entries.map(toOptionValue)
}

export const choice: ValueType<ChoiceField> = {
  read(field, value, config, where, errors) {
    const options = getOptions(field, config)
    if (options === null) {
      errors.push({ path: where, code: 'options_missing' })
      return INVALID
    }
    if (isMultiple(field)) return readMultiple(field, value, options, where, errors)
    if (typeof value !== 'string') return wrongType(where, errors)
    if (options.some(option => option.id === value)) return value
    return value === '' ? null : unknownOption(value, where, errors)
  },
  check(field, value, _, where, errors) {
    const count = Array.isArray(value) ? value.length : 1
    if (field.minSelected !== undefined && count < field.minSelected)
      errors.push({ path: where, code: 'too_few_items' })
    if (field.maxSelected !== undefined && count > field.maxSelected)
      errors.push({ path: where, code: 'too_many_items' })
  },
  isEmpty: value => value === null || value === '' || (Array.isArray(value) && value.length === 0),
  // A cleared multiple choice is an empty list; one that was never set stays unanswered.
  cleared: (field, before) => (isMultiple(field) && !choice.isEmpty(before) ? [] : null),
}

/** Reads IDs and `{id, label}`, mixed and in any order; labels always come from the options. */
function readMultiple(
  field: ChoiceField,
  given: Json,
  options: readonly Option[],
  where: string,
  errors: ValueError[],
): ReadResult {
  if (given === '') return null
  const value = typeof given === 'string' ? [given] : given
  if (!Array.isArray(value)) return wrongType(where, errors)
  if (value.length > getMaxOptions(field)) {
    errors.push({ path: where, code: 'too_many_items' })
    return INVALID
  }
  const known = new Set(options.map(option => option.id))
  const chosen = new Set<string>()
  const before = errors.length
  for (const [index, element] of value.entries()) {
    const id = isObject(element) ? (getMember(element, 'id') ?? null) : element
    if (typeof id !== 'string') wrongType(`${where}[${index}]`, errors)
    else if (known.has(id)) chosen.add(id)
    else unknownOption(id, `${where}[${index}]`, errors)
  }
  if (errors.length > before) return INVALID
  return options.filter(option => chosen.has(option.id)).map(toOptionValue)
}

/** The value for an option, which is the same in every language. */
const toOptionValue = ({ id, label, original }: Option): Json => ({ id, label: original ?? label })

function unknownOption(id: string, where: string, errors: ValueError[]): typeof INVALID {
  errors.push({ path: where, code: 'unknown_option', option: id.slice(0, 200) })
  return INVALID
}
