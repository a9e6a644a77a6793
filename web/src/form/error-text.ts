/** Texts for the errors of a field's value. Codes and limits are the server's. */

import { plural, t } from '@lingui/core/macro'
import { FIELD_TYPES } from '@/api/field-types'
import { formatNumber, toSentence } from '@/lib/i18n'
import { formatDate, formatLocalTime } from './dates'
import type { AnyField, Field, FieldError, FormDefinition } from './types'
import { getMaxOptions, isChoice } from './value-types/choices'
import { getMin } from './value-types/numbers'
import { getChildFields, getMaxItems, getOnlyChild, isRepeated } from './value-types/repeated'
import { getMaxLength } from './value-types/texts'

/** `field` is the one with the error: in a list or table, the field within the item. */
export function getErrorText(error: FieldError, field: AnyField): string {
  const text = getKnownText(error, field)
  if (text !== undefined) return text
  return error.message ? toSentence(error.message) : t`This value isn't valid.`
}

/** The same for an error anywhere in a form; undefined if its field isn't part of the form. */
export function getFormErrorText(form: FormDefinition, error: FieldError): string | undefined {
  const field = form.fields.find(({ id }) => id === error.fieldId)
  return field && getErrorText(error, findInnermostField(field, error.path))
}

/** The field within an item that a path leads to, or else the list or table itself. */
function findInnermostField(field: Field, path: string): AnyField {
  const place = `data.${field.path}`
  if (!isRepeated(field) || !path.startsWith(place)) return field
  const inside = /^\[\d+\](?:\.([^.[]+))?/.exec(path.slice(place.length))
  if (inside === null) return field
  const name = inside[1]
  return (
    (name === undefined ? getOnlyChild(field) : getChildFields(field).find(({ id }) => id === name)) ?? field
  )
}

/**
 * Undefined for a code that only the server knows, and for a limit that this version of the review type doesn't have.
 */
function getKnownText({ code, option }: FieldError, field: AnyField): string | undefined {
  switch (code) {
    case 'required':
      return t`This field is required.`
    case 'wrong_type':
      return wrongType(field)
    case 'too_short':
      return tooShort(field)
    case 'too_long':
      return tooLong(getMaxLength(field))
    case 'pattern_mismatch':
      return t`This doesn't match the expected format.`
    case 'bad_email':
      return t`Enter a valid email.`
    case 'bad_link':
    case 'bad_media_address':
      return t`Enter a URL that starts with http:// or https://.`
    case 'base64_not_declared':
    case 'bad_base64':
      return t`Upload the image instead of pasting its data.`
    case 'unknown_media':
      return t`This file no longer exists. Upload it again or enter another URL.`
    case 'wrong_kind':
      return wrongKind(field)
    case 'too_small':
      return tooSmall(field)
    case 'too_large':
      return tooLarge(field)
    case 'not_whole':
      return t`Enter a whole number.`
    case 'bad_date':
      return t`Enter a valid date.`
    case 'bad_datetime':
      return t`Enter a valid date and time.`
    case 'bad_json':
      return t`Invalid JSON.`
    case 'too_deep':
      return tooDeep(FIELD_TYPES.json.limits.maxDepth)
    case 'too_few_items':
      return tooFewItems(field)
    case 'too_many_items':
      return tooManyItems(field)
    case 'options_missing':
      return t`This field has no options. Ask whoever manages this review type to add some.`
    case 'unknown_option':
      return option ? t`“${option}” isn't an option.` : t`Choose one of the options.`
    case 'not_editable':
      return t`You can't edit this field.`
    case 'field_not_shown':
      return t`This field isn't part of this review.`
    case 'remove_not_allowed':
      return t`You can't remove or replace items.`
    case 'add_not_allowed':
      return t`You can't add or replace items.`
    case 'reorder_not_allowed':
      return t`You can't reorder items.`
    case 'unmapped_property':
      return t`This item has properties the review type doesn't define.`
    case 'nul_character':
      return t`This text contains an invisible character that can't be saved. Clear the field and type the text again.`
  }
}

/** With an example in the number format of the page's language. */
export const enterNumber = () => t`Enter a number, such as ${{ example: formatNumber(1234.5) }}.`

function wrongType(field: AnyField): string {
  const { category, value } = FIELD_TYPES[field.type]
  switch (value) {
    case 'number':
      return enterNumber()
    case 'boolean':
      return t`Choose yes or no.`
    case 'choice':
    case 'choices':
      return t`Choose an option.`
    case 'date':
      return t`Enter a valid date.`
    case 'datetime':
      return t`Enter a valid date and time.`
    case 'text':
      return field.type === 'link' || category === 'media'
        ? t`Enter a URL that starts with http:// or https://.`
        : t`Enter text.`
    default:
      return t`This value has the wrong type.`
  }
}

function wrongKind(field: AnyField): string | undefined {
  if (field.type === 'image') return t`This file isn't an image. Upload an image.`
  if (field.type === 'video') return t`This file isn't a video. Upload a video.`
}

function tooShort(field: AnyField): string | undefined {
  if (!('minLength' in field) || field.minLength === undefined) return undefined
  const min = field.minLength
  return t`Enter at least ${plural(min, { one: '# character', other: '# characters' })}.`
}

const tooLong = (max: number): string =>
  t`Use at most ${plural(max, { one: '# character', other: '# characters' })}.`

const tooDeep = (max: number): string =>
  t`Use at most ${plural(max, { one: '# level', other: '# levels' })} of nesting.`

/** With every digit: a limit must not look rounded. */
const formatExactly = (limit: number): string => formatNumber(limit, { maximumFractionDigits: 20 })

function tooSmall(field: AnyField): string | undefined {
  if (field.type === 'number' || field.type === 'rating') {
    const least = getMin(field)
    return least === undefined ? undefined : t`Enter ${{ min: formatExactly(least) }} or more.`
  }
  if ((field.type !== 'date' && field.type !== 'datetime') || field.min === undefined) return undefined
  if (field.type === 'date') return t`Choose ${{ min: formatDate(field.min, 'long') }} or later.`
  return t`Choose ${{ min: formatLocalTime(field.min) }} (your time) or later.`
}

function tooLarge(field: AnyField): string | undefined {
  if (field.type === 'image' || field.type === 'video') return t`This file is too large.`
  if (field.type === 'number' || field.type === 'rating')
    return field.max === undefined ? undefined : t`Enter ${{ max: formatExactly(field.max) }} or less.`
  if ((field.type !== 'date' && field.type !== 'datetime') || field.max === undefined) return undefined
  if (field.type === 'date') return t`Choose ${{ max: formatDate(field.max, 'long') }} or earlier.`
  return t`Choose ${{ max: formatLocalTime(field.max) }} (your time) or earlier.`
}

function tooFewItems(field: AnyField): string | undefined {
  if (isChoice(field) && field.minSelected !== undefined) {
    const min = field.minSelected
    return t`${plural(min, { one: 'Choose at least #.', other: 'Choose at least #.' })}`
  }
  if (!isRepeated(field) || field.minItems === undefined) return undefined
  const min = field.minItems
  return t`Add at least ${plural(min, { one: '# item', other: '# items' })}.`
}

function tooManyItems(field: AnyField): string | undefined {
  if (isChoice(field)) {
    const max = field.maxSelected ?? getMaxOptions(field)
    return t`${plural(max, { one: 'Choose up to #.', other: 'Choose up to #.' })}`
  }
  if (!isRepeated(field)) return undefined
  const max = field.maxItems ?? getMaxItems(field)
  return t`Use at most ${plural(max, { one: '# item', other: '# items' })}.`
}
