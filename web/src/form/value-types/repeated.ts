/** Lists and tables: any number of items, each with the same child fields. */

import { FIELD_TYPES } from '@/api/field-types'
import { getMember, isDeeperThan, isObject, toCanonicalJson } from '../json'
import type { AnyField, ChildField, FieldConfig, FieldOf, Json, JsonObject } from '../types'
import { checkTypedValue, getItemValueType } from './items'
import { INVALID, NO_CONFIG, type ReadResult, type ValueError, type ValueType, wrongType } from './value-type'

export type RepeatedField = FieldOf<'list' | 'table'>

export const isRepeated = (field: AnyField): field is RepeatedField =>
  FIELD_TYPES[field.type].value === 'items'

export const getMaxItems = (field: RepeatedField): number => FIELD_TYPES[field.type].limits.maxItems

export const getChildFields = (field: RepeatedField): readonly ChildField[] =>
  field.type === 'list' ? field.item : field.columns

/** The child whose value can represent the whole item. */
export const getOnlyChild = (field: RepeatedField): ChildField | null =>
  field.type === 'list' && field.item.length === 1 ? (field.item[0] ?? null) : null

/** The child whose value a request may send instead of an item: the only one, or the only one with media. */
export function getPlainChild(field: RepeatedField): ChildField | null {
  if (field.type !== 'list' || field.item.length === 1) return getOnlyChild(field)
  const media = field.item.filter(child => FIELD_TYPES[child.type].category === 'media')
  return media.length === 1 ? (media[0] ?? null) : null
}

export const getChildConfig = (config: FieldConfig, child: ChildField): FieldConfig =>
  config.items?.[child.id] ?? NO_CONFIG

export const getItems = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])

export const repeated: ValueType<RepeatedField> = {
  read(field, value, config, where, errors) {
    if (!Array.isArray(value)) return wrongType(where, errors)
    if (value.length > getMaxItems(field)) {
      errors.push({ path: where, code: 'too_many_items' })
      return INVALID
    }
    if (isDeeperThan(value, FIELD_TYPES[field.type].limits.maxDepth)) {
      errors.push({ path: where, code: 'too_deep' })
      return INVALID
    }
    const only = getPlainChild(field)
    const asPlain = getOnlyChild(field) !== null && !value.some(isObject)
    const before = errors.length
    const items: Json[] = []
    for (const [index, item] of value.entries()) {
      const place = `${where}[${index}]`
      if (isObject(item)) items.push(readItem(field, item, config, place, errors))
      else if (only === null) wrongType(place, errors)
      else {
        const read = readChild(only, item, config, place, errors)
        // An empty choice is null in an object; as a whole item it stays an empty string.
        if (read !== INVALID) items.push(asPlain ? (read ?? item) : { [only.id]: read })
      }
    }
    return errors.length === before ? items : INVALID
  },
  check(field, value, config, where, errors) {
    const items = getItems(value)
    if (field.minItems !== undefined && items.length < field.minItems)
      errors.push({ path: where, code: 'too_few_items' })
    if (field.maxItems !== undefined && items.length > field.maxItems)
      errors.push({ path: where, code: 'too_many_items' })
    for (const [index, item] of items.entries()) {
      for (const child of getChildFields(field)) {
        const place = isObject(item) ? `${where}[${index}].${child.id}` : `${where}[${index}]`
        const held = isObject(item) ? (getMember(item, child.id) ?? null) : item
        checkTypedValue(getItemValueType(child), child, held, getChildConfig(config, child), place, errors)
      }
    }
  },
  isEmpty: value => getItems(value).length === 0,
  cleared: () => [],
}

function readItem(
  field: RepeatedField,
  item: JsonObject,
  config: FieldConfig,
  where: string,
  errors: ValueError[],
): JsonObject {
  const result = { ...item }
  for (const child of getChildFields(field)) {
    const value = getMember(item, child.id) ?? null
    if (value === null) continue
    const read = readChild(child, value, config, `${where}.${child.id}`, errors)
    if (read !== INVALID) result[child.id] = read
  }
  return result
}

function readChild(
  child: ChildField,
  value: Json,
  config: FieldConfig,
  where: string,
  errors: ValueError[],
): ReadResult {
  if (value === null) return wrongType(where, errors)
  return getItemValueType(child).read(child, value, getChildConfig(config, child), where, errors)
}

/** `value` with its items in the format of those of `before`, plain or as objects, if that loses nothing. */
export function matchItemFormat(field: RepeatedField, value: Json, before: Json): Json {
  const only = getOnlyChild(field)
  if (only === null || !Array.isArray(value) || value.length === 0) return value
  if (getItems(before).some(isObject)) return value.map(item => (isObject(item) ? item : { [only.id]: item }))
  const alone = value.map(item => toPlainItem(item, only.id))
  return alone.every(item => item !== null) ? alone : value
}

/** What can be a plain item; null for what can't: an object would be read as keyed by child ID. */
function toPlainItem(item: Json, name: string): Json {
  if (!isObject(item) || Object.keys(item).length !== 1) return null
  const value = getMember(item, name) ?? null
  return isObject(value) ? null : value
}

/**
 * Reports changes to items that the settings don't allow. The values that a reviewer can't edit identify an item, so
 * that items can be moved and removed without being mistaken for new ones.
 */
export function checkChanges(
  field: RepeatedField,
  value: Json,
  before: Json,
  where: string,
  errors: ValueError[],
) {
  const [held, was] = [getItems(value), getItems(before)]
  const lockedNow = held.map(item => getLockedValues(field, item))
  const lockedBefore = was.map(item => getLockedValues(field, item))
  if (!field.allowRemove && !isWithin(lockedBefore, lockedNow))
    errors.push({ path: where, code: 'remove_not_allowed' })
  if (!field.allowAdd && !isWithin(lockedNow, lockedBefore))
    errors.push({ path: where, code: 'add_not_allowed' })
  if (!field.allowReorder && held.length === was.length) {
    const [now, then] = [held.map(toCanonicalJson), was.map(toCanonicalJson)]
    if (now.some((item, index) => item !== then[index]) && isWithin(now, then))
      errors.push({ path: where, code: 'reorder_not_allowed' })
  }
  const known = new Set(was.map(item => toCanonicalJson(getUnmappedProperties(field, item))))
  for (const [index, item] of held.entries()) {
    const own = getUnmappedProperties(field, item)
    if (Object.keys(own).length > 0 && !known.has(toCanonicalJson(own)))
      errors.push({ path: `${where}[${index}]`, code: 'unmapped_property' })
  }
}

/** Whether each of the first occurs as often in the second. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1)
  return some.every(each => {
    const left = counts.get(each) ?? 0
    counts.set(each, left - 1)
    return left > 0
  })
}

function getUnmappedProperties(field: RepeatedField, item: Json): JsonObject {
  if (!isObject(item)) return {}
  const names = new Set(getChildFields(field).map(child => child.id))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.has(name)))
}

/** The values of an item that a reviewer can't edit, which distinguish it from others. */
export function getLockedValues(field: RepeatedField, item: Json): string {
  if (!isObject(item)) return getChildFields(field)[0]?.editable ? 'editable' : toCanonicalJson(item)
  const fixed = getChildFields(field).filter(child => !child.editable)
  return toCanonicalJson({
    ...getUnmappedProperties(field, item),
    ...Object.fromEntries(fixed.map(child => [child.id, getMember(item, child.id) ?? null])),
  })
}

/** An item's value for a child; null if there is none. An item may be the plain value of its only child. */
export const getChildValue = (item: Json, child: ChildField): Json =>
  isObject(item) ? (getMember(item, child.id) ?? null) : item

/** An item with another value for a child, in the same format if possible. */
export function withChildValue(item: Json, child: ChildField, value: Json): Json {
  if (isObject(item)) return { ...item, [child.id]: value }
  return value === null || isObject(value) ? { [child.id]: value } : value
}

/** An item in plain format if the agent sent others that way and it's possible: `"…"` for `{"photo": "…"}`. */
export function toSuggestedFormat(field: RepeatedField, item: Json, before: Json): Json {
  const only = getOnlyChild(field)
  if (only === null || getItems(before).some(isObject)) return item
  return toPlainItem(item, only.id) ?? item
}
