/** Values as plain text: for changes, and for places without room for an editor. */

import { t } from '@lingui/core/macro'
import { formatList, formatNumber } from '@/lib/i18n'
import { formatDate } from './dates'
import { toText } from './editor-props'
import { isObject } from './json'
import { toJsonText } from './json-text'
import type { AnyField, FieldConfig, Json } from './types'
import { getChosenIds, getOptions, isChoice } from './value-types/choices'
import { getChildConfig, getChildFields, getChildValue, getItems, isRepeated } from './value-types/repeated'
import { NO_CONFIG } from './value-types/value-type'

export function formatValue(field: AnyField, value: Json, config: FieldConfig = NO_CONFIG): string {
  if (value === null) return ''
  if (isChoice(field)) return getLabels(value, getOptions(field, config) ?? [])
  if (isRepeated(field))
    return getItems(value)
      .map(item => formatItem(field, item, config))
      .join('\n')
  if (field.type === 'boolean' && typeof value === 'boolean')
    return value ? field.trueLabel || t`Yes` : field.falseLabel || t`No`
  if (field.type === 'number')
    return field.unit ? `${formatFigure(value)} ${field.unit}` : formatFigure(value)
  if (field.type === 'rating')
    return t`${{ rating: formatFigure(value) }} of ${{ max: formatNumber(field.max) }}`
  if (field.type === 'date' && typeof value === 'string') return formatDate(value, 'medium')
  if (field.type === 'json') return toJsonText(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function getLabels(value: Json, options: readonly { id: string; label: string }[]): string {
  const labels = new Map(options.map(option => [option.id, option.label || option.id]))
  const chosen = getChosenIds(value).map(id => labels.get(id) ?? id)
  return formatList(chosen, 'unit')
}

/** A number with all its digits; other values as typed. */
export const formatFigure = (value: Json): string =>
  typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 20 }) : toText(value)

function formatItem(field: AnyField, item: Json, config: FieldConfig): string {
  if (!isRepeated(field)) return ''
  const children = getChildFields(field)
  const words = children.map(
    child =>
      [child.label, formatValue(child, getChildValue(item, child), getChildConfig(config, child))] as const,
  )
  if (words.length === 1 || !isObject(item)) return toOneLine(words[0]?.[1] ?? '')
  return words
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${toOneLine(text)}`)
    .join(' · ')
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
