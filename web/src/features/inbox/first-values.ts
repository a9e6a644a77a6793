/** The summary line of a review: the first values that its agent suggested. */

import { plural, t } from '@lingui/core/macro'
import { formatList } from '@/lib/i18n'

type Option = { id: string; label: string }
type FieldLike = { id: string; label?: string; type?: string; options?: unknown }

type Suggested = {
  values: Readonly<Record<string, unknown>>
  configs?: Readonly<Record<string, { options?: unknown } | undefined>> | null
}

export type FirstValue = { label: string; text: string }

const MAX_VALUES = 3
const MAX_TEXT_LENGTH = 80

/** The values that are short enough to show; media and long structures aren't. */
export function getFirstValues(
  fields: readonly Record<string, unknown>[],
  { values, configs }: Suggested,
  titleField: string | null | undefined,
): FirstValue[] {
  const found: FirstValue[] = []
  for (const field of fields as unknown as FieldLike[]) {
    if (found.length === MAX_VALUES) break
    if (field.id === titleField || field.type === 'label') continue
    const text = summarizeValue(values[field.id], getOptions(configs?.[field.id]) ?? getOptions(field))
    if (text) found.push({ label: field.label || field.id, text })
  }
  return found
}

const getOptions = (place: { options?: unknown } | undefined): readonly Option[] | undefined =>
  Array.isArray(place?.options) ? (place.options as Option[]) : undefined

export function summarizeValue(value: unknown, options: readonly Option[] = []): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return truncate(options.find(option => option.id === value)?.label ?? value)
  if (!Array.isArray(value)) {
    const { id, label } = value as Partial<Option>
    return summarizeValue(options.find(option => option.id === id)?.label ?? label)
  }
  if (value.length === 0) return ''
  const count = value.length
  const texts = value.map(item => summarizeValue(item, options)).filter(Boolean)
  return texts.length === count
    ? truncate(formatList(texts, 'unit'))
    : plural(count, { one: '# item', other: '# items' })
}

export function truncate(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = [...line.slice(0, MAX_TEXT_LENGTH * 2 + 2)]
  return letters.length > MAX_TEXT_LENGTH ? `${letters.slice(0, MAX_TEXT_LENGTH).join('')}…` : line
}
